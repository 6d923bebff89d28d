import RandomPrograms
import Testing

@testable import Signalbox

/// Tests of pending changes in children, and of children that pending changes show or hide (O3, O5, O8).
@Suite(.opensGates) @MainActor final class OptimisticChildTests: BarnBody {
  private let live = LiveChildren()
  private var rows: [Int: MutatingStore<BarnRow, BarnJob>] = [:]
  private var parents: [Int: MutatingStore<Barn, BarnJob>] = [:]
  private let gate = StoreGate()
  private var heard: [String] = []
  private var makes:
    [Int: @MainActor (MutatingStore<BarnRow, BarnJob>, MutatingStore<Barn, BarnJob>) -> Void] = [:]

  private func makeStore(_ barn: Barn) -> Store<Barn, BarnJob> {
    Store(state: barn, interactor: BarnFeature(live: live, body: self))
  }

  private let twoRows = Barn(rows: [BarnRow(id: 1, text: "a"), BarnRow(id: 2, text: "b")])

  func work(_ number: Int, in store: MutatingStore<Barn, BarnJob>) async throws {
    parents[number] = store
    try await gate.pass("\(number)")
  }

  func work(
    _ number: Int, in store: MutatingStore<BarnRow, BarnJob>,
    of parent: MutatingStore<Barn, BarnJob>
  ) async throws {
    rows[number] = store
    makes[number]?(store, parent)
    try await gate.pass("\(number)")
  }

  func hears(_ place: BarnPlace, _ text: String) { heard.append("\(place): \(text)") }
  func handles(_ number: Int) {}

  private func row(_ id: Int, of store: Store<Barn, BarnJob>) -> Store<BarnRow, BarnJob>? {
    store.child(\.rows, id: id, BarnRowFeature.self)
  }

  private func start(
    _ number: Int, in store: Store<Barn, BarnJob>
  ) -> MutatingStore<Barn, BarnJob> {
    store.send(BarnJob(number: number, name: nil))
    guard let parent = parents[number] else { fatalError("The action begins at once.") }
    return parent
  }

  @Test("O8 O2 a row shows its change at once, and a failure takes back nothing else")
  func star() async {
    let store = makeStore(twoRows)
    makes[1] = { row, _ in row.optimistic { $0.isStarred = true } }
    let task = row(2, of: store)?.send(BarnJob(number: 1, name: nil))
    #expect(store.rows.map(\.isStarred) == [false, true])
    #expect(row(2, of: store)?.isStarred == true)
    let reloaded = [BarnRow(id: 3, text: "c"), BarnRow(id: 2, text: "b2")]
    store.binder.rows.wrappedValue = reloaded
    #expect(store.rows.map(\.isStarred) == [false, true] && store.rows.map(\.text) == ["c", "b2"])
    gate.fail("1")
    await task?.value
    #expect(store.rows == reloaded)
  }

  @Test("O5 a change of a row that is gone does nothing, also when a row with its id comes back")
  func goneRow() {
    let store = makeStore(twoRows)
    makes[1] = { row, _ in row.optimistic { $0.isStarred = true } }
    row(2, of: store)?.send(BarnJob(number: 1, name: nil))
    let journal = StoreJournal(store)
    store.binder.rows.wrappedValue.removeLast()
    #expect(store.rows == [BarnRow(id: 1, text: "a")])
    store.binder.rows.wrappedValue = twoRows.rows
    #expect(store.rows == twoRows.rows)
    #expect(journal.lines.filter { $0 == "change" }.count == 2)
  }

  @Test("O3 a pending change begins and ends no child, which reads what the truth has")
  func children() {
    let store = makeStore(twoRows)
    let work = start(1, in: store)
    let pending = work.optimistic {
      $0.rows = [BarnRow(id: 9, text: "new", note: BarnNote()), BarnRow(id: 1, text: "shown")]
    }
    #expect(live.names == ["attic", "row(1)", "row(2)"])
    #expect(row(1, of: store)?.text == "shown")
    let hidden = row(2, of: store)
    #expect(hidden?.text == "b")
    hidden?.binder.text.wrappedValue = "written"
    #expect(hidden?.text == "written" && store.rows.map(\.id) == [9, 1])
    #expect(heard == ["row(1): shown", "row(2): written"])
    pending.revert()
    #expect(store.rows.map(\.text) == ["a", "written"])
    #expect(heard.last == "row(1): a" && live.names == ["attic", "row(1)", "row(2)"])
  }

  @Test("O3 an element that only a pending change shows has a store that changes nothing")
  func shownOnly() {
    let store = makeStore(twoRows)
    let work = start(1, in: store)
    let pending = work.optimistic { barn in
      guard barn[.row(9)] == nil else { return }
      barn.rows.insert(BarnRow(id: 9, text: "new", note: BarnNote(text: "n")), at: 0)
    }
    let new = row(9, of: store)
    let same = row(9, of: store)
    let journal = StoreJournal(store)
    #expect(new?.text == "new" && same === new)
    new?.binder.text.wrappedValue = "x"
    new?.dispatch(BarnJob(number: 5, name: nil))
    #expect(store.rows.map(\.text) == ["new", "a", "b"] && rows[5] == nil)
    #expect(store.instruments.truth == twoRows)
    #expect(journal.lines == ["started", "\\.rows[id: 9]", "\\.rows[id: 9]"])
    #expect(live.names == ["attic", "row(1)", "row(2)"])
    // What is in it has a store, too, and begins as little.
    let note = new?.child(\.note, BarnNoteFeature.self)
    note?.binder.text.wrappedValue = "x"
    #expect(note?.text == "n" && live.names == ["attic", "row(1)", "row(2)"])
    // When it is true, the child begins, and the store of it is its store.
    pending.confirm()
    #expect(live.names == ["attic", "note of row(9)", "row(1)", "row(2)", "row(9)"])
    note?.binder.text.wrappedValue = "m"
    #expect(new?.note?.text == "m")
    new?.binder.text.wrappedValue = "x"
    #expect(store.rows.map(\.text) == ["x", "a", "b"] && heard.last == "row(9): x")
    #expect(row(9, of: store)?.text == "x")
  }

  @Test("O3 C6 the store of an element that is taken back keeps its last value")
  func takenBackElement() {
    let store = makeStore(twoRows)
    let work = start(1, in: store)
    let pending = work.optimistic { $0.guest = BarnRow(id: 9, text: "new") }
    let guest = store.child(\.guest, BarnRowFeature.self)
    #expect(guest?.text == "new")
    pending.revert()
    #expect(guest?.text == "new" && store.child(\.guest, BarnRowFeature.self) == nil)
    guest?.binder.text.wrappedValue = "x"
    #expect(store.guest == nil && live.names == ["attic", "row(1)", "row(2)"])
  }

  @Test("O2 C4 the end of a child takes its pending changes back, and those of the others stay")
  func endedChild() {
    let store = makeStore(twoRows)
    makes[1] = { row, _ in row.optimistic { $0.text += "1" } }
    makes[2] = { row, _ in row.optimistic { $0.text += "2" } }
    row(1, of: store)?.send(BarnJob(number: 1, name: nil))
    row(2, of: store)?.send(BarnJob(number: 2, name: nil))
    #expect(store.rows.map(\.text) == ["a1", "b2"])
    store.binder.rows.wrappedValue = [twoRows.rows[1]]
    #expect(store.rows.map(\.text) == ["b2"] && store.instruments.pendingChanges == 1)
  }

  @Test("O8 C11 a change through the parent's store lasts as long as the child's work")
  func parentsStore() async {
    let store = makeStore(twoRows)
    makes[1] = { _, parent in parent.optimistic { $0.title = "shown" } }
    let task = row(1, of: store)?.send(BarnJob(number: 1, name: nil))
    #expect(store.title == "shown" && store.instruments.truth.title == "")
    gate.fail("1")
    await task?.value
    #expect(store.title == "" && store.instruments.pendingChanges == 0)
  }
}
