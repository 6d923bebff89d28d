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

    var last: [Row] {
      get { rows }
      set { rows = newValue }
    }
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
