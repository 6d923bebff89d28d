import SignalboxTesting
import Testing

@testable import Signalbox

/// Children whose state is gone, and their handles.
@MainActor struct GoneChildTests: RowTests {
  let station = StationWithRows()

  @Test("C6 The handle of a child that is gone reads its last value and does nothing else")
  func gone() async throws {
    let row = try #require(self.row(2))
    row.send(.type("abc"))
    let binding = row.binder.text
    var finished = false
    let subscription = row.publisher.text.sink(
      receiveCompletion: { finished = true }, receiveValue: { _ in })
    store.send(.remove(2))
    #expect(finished)
    #expect(row.text == "abc")
    #expect(row.length == 3)
    binding.wrappedValue = "x"
    #expect(row.text == "abc")
    row.send(.type("x"))
    await row.dispatch(.type("x"))
    await row.settle()
    row.cancelAll()
    row.deactivateHooks()
    #expect(row.runningCount == 0)
    #expect(row.text == "abc")
    #expect(row.child(\.inner, StationDepth.self).depth == 0)
    #expect(row.child(\.note, StationEditor.self) == nil)
    #expect(store.rows.map(\.id) == [1, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test("C6 A late update of a child that is gone changes nothing")
  func lateUpdate() throws {
    let row = try #require(self.row(2))
    let late = row.instruments.arranging
    let settings = store.child(\.settings, StationSettings.self)
    let lateSettings = settings.instruments.arranging
    store.dispatch(.remove(2))
    late.update { $0.text = "late" }
    late.text += "late"
    late.text = "late"
    #expect(row.text == "")
    #expect(
      store.state == StationState(rows: [StationRowState(id: 1), StationRowState(id: 3)]))
    lateSettings.update { $0.volume += 1 }
    #expect(store.settings.volume == 2)
  }

  @Test("C6 So does a late update of a fixed child whose parent was released")
  func updateOfReleased() throws {
    var parent: Store<StationState, StationAction>? = Store(
      state: StationState(), interactor: Station(journal: journal))
    let settings = try #require(parent?.child(\.settings, StationSettings.self))
    let late = settings.instruments.arranging
    parent = nil
    late.update { $0.log = ["late"] }
    late.log.append("late")
    late.log.append("late")
    late.log = ["late"]
    late.batch { late.log.append("late") }
    #expect(settings.log == [])
  }

  @Test("C4 C16 A6 What late work tries is dropped, and is an event of the parent")
  func lateWork() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    journal.gate = { for await _ in gate {} }
    let store = TestStore(
      state: StationState(rows: [StationRowState(id: 3)]), interactor: Station(journal: journal))
    let row = try #require(store.child(\.rows, id: 3, StationRow.self))
    var dropped: [String] = []
    let subscription = store.events.sink { event in
      guard case .child(let child) = event.kind else { return }
      if case .dropped(.change(_, let new as StationRowState)) = child.kind {
        dropped.append("\(child.path) \(new.text)")
      }
      if case .cancelled = child.kind { dropped.append("\(child.cancellation!)") }
    }
    row.send(.save)
    store.send(.remove(3))
    open.finish()
    await store.settle(includingCancelled: true)
    #expect(dropped == ["endedWithState", "\\.rows[id: 3] saved"])
    #expect(!journal.lines.contains("cancelled "))
    withExtendedLifetime(subscription) {}
  }

  @Test("C8 A9 Released with its parent, whatever holds a handle")
  func released() throws {
    weak var observed: StationJournal?
    var row: Store<StationRowState, StationRowAction>?
    do {
      let journal = StationJournal()
      observed = journal
      let store = Store(
        state: StationState(rows: [StationRowState(id: 1, text: "kept")]),
        interactor: Station(journal: journal))
      row = store.child(\.rows, id: 1, StationRow.self)
    }
    #expect(observed == nil)
    #expect(row?.text == "kept")
    row?.dispatch(.type("x"))
    #expect(row?.text == "kept")
  }

  @Test("C8 The work of a gone child counts no more")
  func counts() throws {
    journal.gate = StationJournal.waitUntilCancelled
    try #require(self.row(1)).dispatch(.save)
    try #require(self.row(2)).dispatch(.save)
    #expect(store.runningCount == 2)
    store.dispatch(.remove(1))
    #expect(store.runningCount == 1)
    store.cancelAll()
    #expect(store.runningCount == 0)
    #expect(journal.lines.last == "cancelled 2")
    #expect(!store.rows[0].isSaving)
  }
}
