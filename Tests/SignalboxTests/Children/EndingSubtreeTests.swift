import Testing

@testable import Signalbox

/// Children within children whose end, or beginning, changes the states around them.
@MainActor struct EndingSubtreeTests {
  /// What the hook of a note, and the `deinit` of the interactor of a note, do.
  @MainActor final class Script {
    var onConnect: (@MainActor () -> Void)?
    var onEnd: (@MainActor () -> Void)?
  }

  private func store(
    _ state: SubtreeState, _ script: Script
  ) -> Store<SubtreeState, SubtreeRoot.Action> {
    Store(state: state, interactor: SubtreeRoot(script: script))
  }

  @Test(
    "C18 A note that removes its row while it begins keeps its value, and not that of another row")
  func removesItsRow() throws {
    for isFirst in [true, false] {
      let script = Script()
      let store = store(
        SubtreeState(rows: [SubtreeRow(id: 7, a: SubtreeNote(text: "other"))]), script)
      var note: Store<SubtreeNote, Int>?
      script.onConnect = {
        script.onConnect = nil
        note = store.child(\.rows, id: 1, SubtreeRows.self)?.child(\.a, SubtreeNotes.self)
        store.dispatch(.remove(1))
      }
      store.dispatch(.insert(SubtreeRow(id: 1, a: SubtreeNote(text: "mine")), at: isFirst ? 0 : 1))
      #expect(store.rows.map(\.id) == [7])
      #expect(try #require(note).text == "mine")
      note?.dispatch(1)
      #expect(note?.text == "mine")
    }
  }

  @Test("C18 A note that removes its row and then adds others while it begins keeps its value")
  func removesAndAdds() throws {
    let script = Script()
    let store = store(SubtreeState(), script)
    var note: Store<SubtreeNote, Int>?
    script.onConnect = {
      script.onConnect = nil
      note = store.child(\.rows, id: 1, SubtreeRows.self)?.child(\.a, SubtreeNotes.self)
      store.dispatch(.remove(1))
      for id in 2...5 { store.dispatch(.insert(SubtreeRow(id: id), at: 0)) }
    }
    store.dispatch(.insert(SubtreeRow(id: 1, a: SubtreeNote(text: "mine")), at: 0))
    #expect(store.rows.map(\.id) == [5, 4, 3, 2])
    #expect(try #require(note).text == "mine")
  }

  @Test(
    "C18 A note that is removed from its row while it begins keeps its value", arguments: [1, 2])
  func removesItself(count: Int) throws {
    let script = Script()
    let store = store(SubtreeState(rows: [SubtreeRow(id: 7)]), script)
    let parent = store.instruments.arranging
    var note: Store<SubtreeNote, Int>?
    script.onConnect = {
      script.onConnect = nil
      note = store.child(\.rows, id: 1, SubtreeRows.self)?.child(\.a, SubtreeNotes.self)
      parent.batch { for _ in 0..<count { parent.rows[0].a = nil } }
    }
    store.dispatch(.insert(SubtreeRow(id: 1, a: SubtreeNote(text: "mine")), at: 0))
    #expect(store.rows.map(\.a) == [nil, SubtreeNote()])
    #expect(try #require(note).text == "mine")
    #expect(
      try #require(store.child(\.rows, id: 1, SubtreeRows.self)).child(\.a, SubtreeNotes.self)
        == nil)
  }

  @Test("C18 A note that removes its row from a dictionary while it begins keeps its value")
  func removesItsValue() throws {
    let script = Script()
    let store = store(SubtreeState(), script)
    var note: Store<SubtreeNote, Int>?
    script.onConnect = {
      script.onConnect = nil
      note = store.child(\.named, id: "x", SubtreeRows.self)?.child(\.a, SubtreeNotes.self)
      store.dispatch(.name("x", nil))
    }
    store.dispatch(.name("x", SubtreeRow(id: 1, a: SubtreeNote(text: "mine"))))
    #expect(store.named.isEmpty)
    #expect(try #require(note).text == "mine")
  }

  @Test("C18 The end of one child of a row that changes its own id may change the rows")
  func ownID() throws {
    let ends: [@MainActor (Store<SubtreeState, SubtreeRoot.Action>) -> Void] = [
      { $0.dispatch(.clear) }, { $0.dispatch(.removeNote) },
      { $0.dispatch(.insert(SubtreeRow(id: 9, b: SubtreeNote(text: "other")), at: 0)) },
    ]
    for end in ends {
      let script = Script()
      let row = SubtreeRow(id: 1, a: SubtreeNote(text: "a"), b: SubtreeNote(text: "b"))
      let store = store(SubtreeState(rows: [row]), script)
      let child = try #require(store.child(\.rows, id: 1, SubtreeRows.self))
      let a = try #require(child.child(\.a, SubtreeNotes.self))
      let b = try #require(child.child(\.b, SubtreeNotes.self))
      script.onEnd = {
        script.onEnd = nil
        end(store)
      }
      child.dispatch(2)
      #expect([a.text, b.text] == ["a", "b"])
      #expect(child.id == 2)
    }
  }

  @Test("C18 A removed row keeps the values of all states in it, whatever its end does")
  func removed() throws {
    let script = Script()
    let rows = (1...3).map {
      SubtreeRow(id: $0, a: SubtreeNote(text: "a\($0)"), b: SubtreeNote(text: "b\($0)"))
    }
    let store = store(SubtreeState(rows: rows), script)
    var notes: [Store<SubtreeNote, Int>] = []
    for id in 1...3 {
      let row = try #require(store.child(\.rows, id: id, SubtreeRows.self))
      notes.append(try #require(row.child(\.a, SubtreeNotes.self)))
      notes.append(try #require(row.child(\.b, SubtreeNotes.self)))
    }
    script.onEnd = {
      script.onEnd = nil
      store.dispatch(.clear)
    }
    store.dispatch(.remove(2))
    #expect(notes.map(\.text) == ["a1", "b1", "a2", "b2", "a3", "b3"])
  }

  @Test("C18 What a child wrote itself in the batch in which it goes is its last value")
  func ownWriteInBatch() throws {
    let store = store(SubtreeState(rows: [SubtreeRow(id: 1), SubtreeRow(id: 2)]), Script())
    let row = try #require(store.child(\.rows, id: 1, SubtreeRows.self))
    let parent = store.instruments.arranging
    parent.batch {
      parent.rows[1].count = 1
      row.instruments.arranging.count = 5
      parent.rows.removeFirst()
    }
    #expect(row.count == 5)
  }

  @Test("C4 An end by an own id is told as any other end: earlier commits are not told any more")
  func undelivered() throws {
    let ends:
      [@MainActor (MutatingStore<SubtreeState, SubtreeRoot.Action>, Store<SubtreeRow, Int>) -> Void] =
        [
          { store, _ in store.rows.remove(at: 0) }, { store, _ in store.rows[0].id = 7 },
          { _, row in row.dispatch(7) },
        ]
    for end in ends {
      let store = store(SubtreeState(rows: [SubtreeRow(id: 1), SubtreeRow(id: 2)]), Script())
      let row = try #require(store.child(\.rows, id: 1, SubtreeRows.self))
      let parent = store.instruments.arranging
      var told: [String] = []
      let subscriptions = [
        store.publisher.title.sink { _ in end(parent, row) },
        row.publisher.count.sink(
          receiveCompletion: { told.append("finish") }, receiveValue: { told.append("\($0)") }),
      ]
      parent.batch {
        parent.title = "new"
        parent.rows[0].count = 4
      }
      #expect(told == ["finish"])
      withExtendedLifetime(subscriptions) {}
    }
  }
}

private struct SubtreeNote: Equatable { var text = "note" }

private struct SubtreeRow: Identifiable, Equatable {
  var id: Int
  var count = 0
  var a: SubtreeNote? = SubtreeNote()
  var b: SubtreeNote?
}

private struct SubtreeState: Equatable {
  var rows: [SubtreeRow] = []
  var named: [String: SubtreeRow] = [:]
  var title = ""
}

/// Runs the end of a script when it is released.
private final class SubtreeCanary: Sendable {
  private let script: EndingSubtreeTests.Script
  init(_ script: EndingSubtreeTests.Script) { self.script = script }
  deinit {
    let script = script
    MainActor.assumeIsolated { script.onEnd?() }
  }
}

private struct SubtreeNotes: Interactor {
  let script: EndingSubtreeTests.Script
  let canary: SubtreeCanary

  func onAction(_ action: Int, store: MutatingStore<SubtreeNote, Int>) { store.text = "\(action)" }

  func subscription(for hook: OnlyHook, store: MutatingStore<SubtreeNote, Int>) -> Subscription {
    script.onConnect?()
    return .empty
  }
}

private struct SubtreeRows: Interactor {
  let script: EndingSubtreeTests.Script

  func children(of store: MutatingStore<SubtreeRow, Int>) -> Children<SubtreeRow> {
    Child(\.a) { SubtreeNotes(script: script, canary: SubtreeCanary(script)) }
    Child(\.b) { SubtreeNotes(script: script, canary: SubtreeCanary(script)) }
  }

  func onAction(_ action: Int, store: MutatingStore<SubtreeRow, Int>) { store.id = action }
}

private struct SubtreeRoot: Interactor {
  enum Action {
    case insert(SubtreeRow, at: Int)
    case name(String, SubtreeRow?)
    case remove(Int)
    case clear, removeNote
  }

  let script: EndingSubtreeTests.Script

  func children(of store: MutatingStore<SubtreeState, Action>) -> Children<SubtreeState> {
    Each(\.rows) { _ in SubtreeRows(script: script) }
    Each(\.named) { _ in SubtreeRows(script: script) }
  }

  func onAction(_ action: Action, store: MutatingStore<SubtreeState, Action>) {
    switch action {
    case .insert(let row, let index): store.rows.insert(row, at: index)
    case .name(let name, let row): store.named[name] = row
    case .remove(let id): store.rows.removeAll { $0.id == id }
    case .clear: store.rows = []
    case .removeNote: if !store.rows.isEmpty { store.rows[0].b = nil }
    }
  }
}
