import Signalbox

/// Measures writes while changes are pending (O6).
@MainActor enum PendingWrites {
  static let comparisons = [
    Comparison("O6", "x += 1 beside 10,000 rows, one observer") {
      Sides(
        Subject("1 pending change", writes(1)), beside: [Subject("none", writes(0)).unlimited])
    },
    Comparison("O6", "x += 1 beside 10,000 rows, one observer") {
      Sides(
        Subject("10 pending changes", writes(10)),
        beside: [Subject("1 pending change", writes(1)).unlimited])
    },
    Comparison("O6", "a row of 10,000 is changed, one observer of another property") {
      Sides(
        Subject("1 pending change", writes(1, inRow: true)),
        beside: [Subject("none", writes(0, inRow: true)).unlimited])
    },
  ]

  static func writes(_ pending: Int, inRow: Bool = false) -> @MainActor (Int) -> Void {
    let owner = Owner()
    let store = Store(state: Office(), actionable: Waiting(owner: owner))
    store.dispatch(pending)
    guard let writing = owner.store else { fatalError("the store has not begun its action") }
    let subscription = writing.publisher.number.sink { blackHole($0) }
    return { repetitions in
      for _ in 0..<repetitions {
        if inRow { writing.rows[5_000] += 1 } else { writing.number += 1 }
      }
      blackHole((store, subscription))
    }
  }
}

/// Takes the `MutatingStore` of an action that has not ended.
@MainActor private final class Owner {
  var store: MutatingStore<Office, Int>?
}

private struct Office {
  var number = 0
  var shown = 0
  var rows = Array(0..<10_000)
}

/// Has a number of pending changes until the store is released.
private struct Waiting: Actionable {
  let owner: Owner

  func onAction(_ pending: Int, store: MutatingStore<Office, Int>) async throws {
    owner.store = store
    for _ in 0..<pending { store.optimistic { $0.shown += 1 } }
    try await Task.sleep(for: .seconds(1_000_000))
  }
}
