import Signalbox

/// A station with the rows 1, 2 and 3.
@MainActor struct StationWithRows {
  let journal = StationJournal()
  let store: Store<StationState, StationAction>

  init() {
    store = Store(
      state: StationState(rows: [1, 2, 3].map { StationRowState(id: $0) }),
      interactor: Station(journal: journal))
  }
}

/// Tests of a station with the rows 1, 2 and 3.
@MainActor protocol RowTests {
  var station: StationWithRows { get }
}

extension RowTests {
  var journal: StationJournal { station.journal }
  var store: Store<StationState, StationAction> { station.store }
  var parent: MutatingStore<StationState, StationAction> { store.instruments.arranging }

  func row(_ id: Int) -> Store<StationRowState, StationRowAction>? {
    store.child(\.rows, id: id, StationRow.self)
  }
}
