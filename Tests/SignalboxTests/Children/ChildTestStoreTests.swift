import SignalboxTesting
import Testing

@testable import Signalbox

/// Children in tests.
@MainActor struct ChildTestStoreTests {
  private let journal = StationJournal()

  private func parent(exhaustive: Bool = false) -> TestStore<StationState, StationAction> {
    TestStore(
      state: StationState(rows: [StationRowState(id: 3)]), interactor: Station(journal: journal),
      exhaustive: exhaustive)
  }

  @Test("C9 A child is tested alone, without its parent")
  func alone() async {
    let store = TestStore(
      state: StationRowState(id: 3), interactor: StationRow(), exhaustive: true)
    await store.dispatch(.type("ab")) {
      $0.text = "ab"
      $0.length = 2
    }
    await store.finish()
  }

  @Test("C9 T5 What a child changes must be asserted in an exhaustive store of its parent")
  func changes() async throws {
    let store = parent(exhaustive: true)
    let row = try #require(store.child(\.rows, id: 3, StationRow.self))
    row.send(.type("ab"))
    let failure = await failures { await store.finish() }.only
    #expect(failure.contains("rows"), "\(failure)")
    #expect(failure.contains("\\.rows[id: 3]: dispatched .type(\"ab\")"), "\(failure)")
    store.expect {
      $0.rows[0].text = "ab"
      $0.rows[0].length = 2
    }
    await store.finish()
  }

  @Test("C9 T3 The work of a child is work of its parent, which failures name with its path")
  func work() async throws {
    let endpoint = TestEndpoint<String, Void>("save")
    journal.gate = { try await endpoint("row") }
    let store = parent()
    let row = try #require(store.child(\.rows, id: 3, StationRow.self))
    row.send(.save)
    await store.settle()
    #expect(store.isSaving(3))
    let failure = await failures { store.expect { $0.title = "other" } }.only
    #expect(failure.contains("\\.rows[id: 3]: .save"), "\(failure)")
    await endpoint.reply(with: ())
    #expect(store.rows[0].text == "saved")
    #expect(!store.isSaving(3))
  }

  @Test("C9 T8 An error that a child does not handle fails the test of its parent, unless expected")
  func errors() async throws {
    let store = parent()
    let row = try #require(store.child(\.rows, id: 3, StationRow.self))
    let failure = await failures {
      row.send(.fail)
      await store.settle()
      await store.finish()
    }.only
    #expect(failure.contains("\\.rows[id: 3]: .fail threw ChildFailure()"), "\(failure)")
    row.send(.fail)
    store.expectError { $0 is ChildFailure }
    await store.finish()
  }

  private struct Twins: Equatable {
    var note = StationEditorState()
    var notes = StationEditorState()
  }

  private struct TwinsKeeper: Interactor {
    func children(of store: MutatingStore<Twins, Never>) -> Children<Twins> {
      Child(\.note) { Failing() }
      Child(\.notes) { Failing() }
    }

    func onAction(_ action: Never, store: MutatingStore<Twins, Never>) {}
  }

  private struct Failing: Interactor {
    func onAction(_ action: Int, store: MutatingStore<StationEditorState, Int>) throws {
      throw ChildFailure()
    }
  }

  @Test("T12 A child asserts nothing of another whose name begins with its own")
  func similarNames() async {
    let store = TestStore(state: Twins(), interactor: TwinsKeeper())
    let note = store.child(\.note, Failing.self)
    let notes = store.child(\.notes, Failing.self)
    notes.send(1)
    let found = await failures { note.expectError { $0 is ChildFailure } }
    #expect(found.count == 1)
    notes.expectError { $0 is ChildFailure }
    await store.finish()
  }

  @Test("T12 An error of a child is reported at the line that sent to it")
  func lines() async throws {
    let store = parent()
    let row = try #require(store.child(\.rows, id: 3, StationRow.self))
    var line = 0
    let found = await kitFailures {
      store.expect { _ in }
      line = #line + 1
      row.send(.fail)
      await store.settle()
      await store.finish()
    }
    #expect(found.map(\.line) == [line])
  }

  @Test("T12 A parent with a child end to end takes a send, an answer and an expectation")
  func endToEnd() async throws {
    let endpoint = TestEndpoint<String, Void>("save")
    journal.gate = { try await endpoint("row") }
    let store = parent(exhaustive: true)
    let row = try #require(store.child(\.rows, id: 3, StationRow.self))
    row.send(.save)
    await endpoint.reply(with: ())
    row.expect {
      $0.text = "saved"
      $0.length = 5
    }
    await store.finish()
  }

  @Test("T12 What the parent asserts counts as asserted for the child, and the other way round")
  func sharedAssertions() async throws {
    let store = parent(exhaustive: true)
    let row = try #require(store.child(\.rows, id: 3, StationRow.self))
    row.send(.type("a"))
    await store.settle()
    store.expect {
      $0.rows[0].text = "a"
      $0.rows[0].length = 1
    }
    row.expect { _ in }
    await row.dispatch(.type("b")) {
      $0.text = "ab"
      $0.length = 2
    }
    #expect(row.triggeredActions == [.type("a"), .type("b")])
    #expect(row.stateUpdates.map(\.text).last == "ab")
    await row.finish()
    await store.finish()
  }

  @Test("T5 T12 A call without a closure counts for what a child expects next, not for the parent")
  func withoutClosure() async throws {
    let store = parent()
    let row = try #require(store.child(\.rows, id: 3, StationRow.self))
    await row.dispatch(.type("a"))
    row.expect { _ in }
    await row.dispatch(.type("b"))
    store.expect {
      $0.rows[0].text += "b"
      $0.rows[0].length += 1
    }
    row.expect { _ in }
    await row.dispatch(.type("c"))
    row.send(.type("d"))
    await store.settle()
    row.expect {
      $0.text += "d"
      $0.length += 1
    }
    await store.finish()
  }

  @Test("T12 A wrong expectation of a child fails at its line, and says the place")
  func wrong() async throws {
    let store = parent()
    let row = try #require(store.child(\.rows, id: 3, StationRow.self))
    var line = 0
    let found = await kitFailures {
      line = #line + 1
      await row.dispatch(.type("ab")) { $0.text = "cd" }
    }
    #expect(found.map(\.line) == [line])
    let text = found.first?.text ?? ""
    #expect(text.hasPrefix("\\.rows[id: 3]: dispatch(.type(\"ab\")): "), "\(text)")
    #expect(text.contains("text: expected \"cd\", is \"ab\""), "\(text)")
  }

  @Test("T12 The test store of a child is the same each time, and children have children")
  func nested() async throws {
    let store = parent(exhaustive: true)
    let row = try #require(store.child(\.rows, id: 3, StationRow.self))
    #expect(store.child(\.rows, id: 3, StationRow.self) === row)
    let inner = row.child(\.inner, StationDepth.self)
    await inner.dispatch(.deepen) { $0.depth = 1 }
    let failure = await failures {
      await inner.dispatch(.deepen)
      await store.finish()
    }.only
    #expect(failure.hasPrefix("finish(): changed although nothing"), "\(failure)")
    #expect(store.rows[0].inner.depth == 2)
    await store.finish()
  }

  @Test(
    "T12 A child whose state has gone keeps its last value, and what is sent to it does nothing")
  func gone() async throws {
    let store = parent(exhaustive: true)
    let row = try #require(store.child(\.rows, id: 3, StationRow.self))
    await store.dispatch(.remove(3)) { $0.rows = [] }
    row.send(.type("late"))
    await store.settle()
    #expect(row.text == "")
    #expect(store.child(\.rows, id: 3, StationRow.self) == nil)
    store.expectDropped(1)
    await store.finish()
  }

  @Test("T12 T8 What a child sends itself must be received in an exhaustive store of its parent")
  func received() async throws {
    let store = TestStore(
      state: SelfSender.Parent(), interactor: SelfSender.ParentFeature(), exhaustive: true)
    let child = store.child(\.child, SelfSender.self)
    await child.dispatch(0) { $0.last = 1 }
    let failure = await failures { await store.finish() }.first ?? ""
    #expect(failure.hasPrefix("Received and not asserted: \\.child: 1."), "\(failure)")
    await child.receive(1)
    await store.finish()
  }

  @Test("C9 T8 Dropped attempts of a child's late work must be expected in an exhaustive store")
  func dropped() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    journal.gate = { for await _ in gate {} }
    let store = parent(exhaustive: true)
    let row = try #require(store.child(\.rows, id: 3, StationRow.self))
    row.send(.save)
    await store.dispatch(.remove(3)) { $0.rows = [] }
    open.finish()
    await store.settle(includingCancelled: true)
    store.expectDropped(1)
    await store.finish()
  }

  @Test("C9 I1 The work of children takes part in explorations")
  func exploration() async {
    let report = await explore { world in
      let save = world.endpoint("save") { (_: Int) in }
      let store = TestStore(
        state: StationState(rows: [StationRowState(id: 1), StationRowState(id: 2)]),
        interactor: Station(journal: journal(saving: save)))
      for id in 1...2 { store.child(\.rows, id: id, StationRow.self)?.send(.save) }
      world.may("remove") { store.send(.remove(1)) }
      world.finally("the other is saved") {
        store.rows.last?.text == "saved" && store.rows.allSatisfy { !$0.isSaving }
      }
      await world.run()
    }
    #expect(report.isExhaustive)
    #expect(report.orders > 2)
  }

  private func journal(saving save: TestEndpoint<Int, Void>) -> StationJournal {
    let journal = StationJournal()
    journal.gate = { try await save(0) }
    return journal
  }
}

extension TestStore<StationState, StationAction> {
  fileprivate func isSaving(_ id: Int) -> Bool {
    state.rows.contains { $0.id == id && $0.isSaving }
  }
}

/// A child that sends itself 1 when it receives 0.
private struct SelfSender: Interactor {
  struct State: Equatable { var last = 0 }
  struct Parent: Equatable { var child = State() }

  struct ParentFeature: Interactor {
    func children(of store: MutatingStore<Parent, Int>) -> Children<Parent> {
      Child(\.child) { SelfSender() }
    }
    func onAction(_ action: Int, store: MutatingStore<Parent, Int>) async {}
  }

  func onAction(_ action: Int, store: MutatingStore<State, Int>) async {
    store.last = action
    if action == 0 { await store.dispatch(1) }
  }
}
