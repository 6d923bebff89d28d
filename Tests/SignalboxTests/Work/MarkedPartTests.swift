import Signalbox
import Testing

/// Tests marks on parts that may disappear, or that the store cannot find again (A13).
@MainActor struct MarkedPartTests {
  private struct Row: Equatable {
    var isSaving = false
  }

  private struct Table: Equatable {
    var rows = [Row(), Row()]
    var draft: Row? = Row()

    subscript(key: Key) -> Bool {
      get { rows[0].isSaving }
      set { rows[0].isSaving = newValue }
    }

    var last: [Row] {
      get { rows }
      set { rows = newValue }
    }
  }

  /// An index that runs a closure when it is hashed.
  private struct Key: Hashable {
    @MainActor static var whenHashed: @MainActor () -> Void = {}

    func hash(into hasher: inout Hasher) { MainActor.assumeIsolated { Self.whenHashed() } }
  }

  private let gate = StoreGate()

  private func makeStore(
    _ paths: [String: any WritableKeyPath<Table, Bool> & Sendable]
  ) -> Store<Table, Job> {
    Store(
      state: Table(),
      actionable: Handling { [gate] job, store in
        if let path = paths[job.text] { store.mark(path) }
        try await gate.pass(job.text)
      })
  }

  @Test("A13 S10 a marked part that is gone when the work ends is not written, and nothing traps")
  func gone() {
    let store = makeStore(["row": \.rows[1].isSaving, "draft": \.draft!.isSaving])
    let (row, draft) = (store.send("row"), store.send("draft"))
    #expect(store.rows[1].isSaving && store.draft?.isSaving == true)
    store.binder.rows.wrappedValue.removeLast()
    store.binder.draft.wrappedValue = nil
    row.cancel()
    draft.cancel()
    #expect(store.rows == [Row()] && store.draft == nil)
    gate.open("row")
    gate.open("draft")
  }

  @Test("A13 a marked part that still exists is written when the work ends")
  func there() {
    let store = makeStore(["row": \.rows[1].isSaving, "draft": \.draft!.isSaving])
    let (row, draft) = (store.send("row"), store.send("draft"))
    row.cancel()
    draft.cancel()
    #expect(store.state == Table())
    gate.open("row")
    gate.open("draft")
  }

  private struct Paper: Equatable { var form = Row() }

  private struct FormFeature: Interactor {
    let gate: StoreGate

    func onAction(_ action: String, store: MutatingStore<Row, String>) async throws {
      store.mark(\.isSaving)
      try await gate.pass(action)
    }
  }

  private struct PaperFeature: Interactor {
    let gate: StoreGate

    func children(of store: MutatingStore<Paper, String>) -> Children<Paper> {
      Child(\.form) { FormFeature(gate: gate) }
    }

    func onAction(_ action: String, store: MutatingStore<Paper, String>) async throws {
      store.mark(\.form.isSaving)
      try await gate.pass(action)
    }
  }

  @Test("A13 a part that a child and its parent mark stays true until both works have ended")
  func markedTwice() async {
    for first in ["parent", "child"] {
      let store = Store(state: Paper(), interactor: PaperFeature(gate: gate))
      let works = [
        "parent": store.send("parent"),
        "child": store.child(\.form, FormFeature.self).send("child"),
      ]
      let second = first == "parent" ? "child" : "parent"
      gate.open(first)
      await works[first]?.value
      #expect(store.form.isSaving && works[second]?.isFinished == false)
      gate.open(second)
      await works[second]?.value
      #expect(!store.form.isSaving)
    }
  }

  @Test("A13 S6 the hash of an index of a marked part may only read, and traps otherwise")
  func hashed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @MainActor in
      let store = Store(
        state: Table(), actionable: Handling<Table, Job> { $1.mark(\.[Key()]) })
      Key.whenHashed = {
        Key.whenHashed = {}
        store.send("other")
      }
      store.send("any")
    }
    expectError("while its state was being compared or computed", from: result)
  }

  @Test("A13 marking an index behind a computed property traps with a message")
  func hidden() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @MainActor in
      let store = Store(
        state: Table(), actionable: Handling<Table, Job> { $1.mark(\.last[0].isSaving) })
      store.send("any")
    }
    expectError(".isSaving cannot be marked: it has a range of an array, or", from: result)
  }
}
