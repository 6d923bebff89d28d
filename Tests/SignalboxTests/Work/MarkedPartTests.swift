import Signalbox
import Testing

/// Tests marks on parts that may disappear, and on key paths that call user code (A13).
@MainActor struct MarkedPartTests {
  private struct Row: Equatable {
    var isSaving = false
  }

  private struct Table: Equatable {
    var rows = [Row(), Row()]
    var draft: Row? = Row()

    subscript(key: Key) -> Bool {
      get { rows[key.index].isSaving }
      set { rows[key.index].isSaving = newValue }
    }

    var last: [Row] {
      get { rows }
      set { rows = newValue }
    }
  }

  @MainActor private final class Callback {
    var body: @MainActor () -> Void = {}
  }

  /// An index that runs a closure when it is hashed.
  private struct Key: Hashable {
    let index: Int
    let whenHashed: Callback

    static func == (l: Key, r: Key) -> Bool { l.index == r.index }

    func hash(into hasher: inout Hasher) {
      hasher.combine(index)
      MainActor.assumeIsolated {
        let body = whenHashed.body
        whenHashed.body = {}
        body()
      }
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

  @Test("A13 a mark that is made while the key path of another one is hashed is counted")
  func markedWhileHashed() {
    let callback = Callback()
    let store = makeStore([
      "first": \.rows[1].isSaving, "inner": \.rows[1].isSaving,
      "outer": \.[Key(index: 0, whenHashed: callback)],
    ])
    let first = store.send("first")
    callback.body = { store.send("inner") }
    store.send("outer")
    first.cancel()
    #expect(store.rows.map(\.isSaving) == [true, true])
    store.cancelAll()
    #expect(store.rows.map(\.isSaving) == [false, false])
    for door in ["first", "inner", "outer"] { gate.open(door) }
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

  @Test("A13 the hash of an index may set another mark, and both marks are removed")
  func hash() {
    let whenHashed = Callback()
    let store = makeStore([
      "keyed": \.[Key(index: 1, whenHashed: whenHashed)], "row": \.rows[0].isSaving,
    ])
    var inner: ActionTask?
    whenHashed.body = { inner = store.send("row") }
    let outer = store.send("keyed")
    #expect(store.rows == [Row(isSaving: true), Row(isSaving: true)])
    outer.cancel()
    inner?.cancel()
    #expect(store.rows == [Row(), Row()])
    gate.open("keyed")
    gate.open("row")
  }

  @Test("A13 the hash of an index may cancel the action, and other work can mark afterwards")
  func hashCancels() {
    let whenHashed = Callback()
    let store = makeStore(["keyed": \.[Key(index: 1, whenHashed: whenHashed)]])
    whenHashed.body = { store.cancelAll() }
    #expect(store.send("keyed").isCancelled)
    let task = store.send("keyed")
    #expect(store.rows[1].isSaving)
    task.cancel()
    #expect(!store.rows[1].isSaving)
    gate.open("keyed")
    gate.open("keyed")
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
