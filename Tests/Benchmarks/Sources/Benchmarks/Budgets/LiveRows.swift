import Signalbox

/// Measures changes of an array of live children, a child in a case of an enum, and depth (C12, C17).
@MainActor enum LiveRows {
  static let comparisons = [
    Comparison("C17", "a row is appended to live rows, and removed again") {
      Sides(
        Subject("10,000 rows", rows(10_000).append),
        beside: [Subject("10 rows", rows(10).append).atMost(10)])
    },
    Comparison("C17", "the parent writes in one of many live rows") {
      Sides(
        Subject("10,000 rows", rows(10_000).write),
        beside: [Subject("10 rows", rows(10).write).atMost(10)])
    },
    Comparison("C12", "x += 1 in a child at a case of an enum, one observer") {
      Sides(
        Subject("a case", inCase),
        beside: [Subject("a stored optional", inOptional).atMost(3)])
    },
  ]

  /// The changes of one array.
  struct Subjects {
    /// Appends a row and removes it again.
    let append: @MainActor (Int) -> Void
    /// Changes a row in the middle, through the store of the parent.
    let write: @MainActor (Int) -> Void
  }

  static func rows(_ count: Int) -> Subjects {
    let owner = Owner<ManyRows>()
    let store = Store(
      state: ManyRows(rows: (0..<count).map { NumberedRow(id: $0) }),
      interactor: RowsInteractor(owner: owner))
    store.dispatch(0)
    guard let writing = owner.store else { fatalError("the store has not begun its action") }
    func keep() { blackHole(store) }
    return Subjects(
      append: { repetitions in
        for _ in 0..<repetitions {
          writing.rows.append(NumberedRow(id: -1))
          writing.rows.removeLast()
        }
        keep()
      },
      write: { repetitions in
        for _ in 0..<repetitions { writing.rows[count / 2].number += 1 }
        keep()
      })
  }

  static var inCase: @MainActor (Int) -> Void {
    let owner = Owner<NumberedRow>()
    let store = Store(state: Places(), interactor: PlacesInteractor(owner: owner))
    store.child(case: \.route, Places.Route.row, NumberInteractor.self)?.dispatch(0)
    return writes(owner, store)
  }

  static var inOptional: @MainActor (Int) -> Void {
    let owner = Owner<NumberedRow>()
    let store = Store(state: Places(), interactor: PlacesInteractor(owner: owner))
    store.child(\.row, NumberInteractor.self)?.dispatch(0)
    return writes(owner, store)
  }

  private static func writes(_ owner: Owner<NumberedRow>, _ root: AnyObject)
    -> @MainActor (Int) -> Void
  {
    guard let writing = owner.store else { fatalError("the child has not begun its action") }
    let subscription = writing.publisher.number.sink { blackHole($0) }
    return { repetitions in
      for _ in 0..<repetitions { writing.number += 1 }
      blackHole((root, subscription))
    }
  }
}

/// Takes a `MutatingStore`, to write without the cost of an action.
@MainActor private final class Owner<State> {
  var store: MutatingStore<State, Int>?
}

private struct NumberedRow: Identifiable {
  let id: Int
  var number = 0
}

private struct ManyRows { var rows: [NumberedRow] }

private struct RowsInteractor: Interactor {
  let owner: Owner<ManyRows>

  func children(of store: MutatingStore<ManyRows, Int>) -> Children<ManyRows> {
    Each(\.rows) { _ in LiveRow() }
  }

  func onAction(_ action: Int, store: MutatingStore<ManyRows, Int>) { owner.store = store }
}

/// A row with a hook is live from the start.
private struct LiveRow: Interactor {
  enum Hook: CaseIterable { case none }

  func onAction(_ action: Int, store: MutatingStore<NumberedRow, Int>) {}

  func subscription(for hook: Hook, store: MutatingStore<NumberedRow, Int>) -> Subscription {
    .empty
  }
}

private struct Places {
  enum Route {
    case none
    case row(NumberedRow)
  }

  var route = Route.row(NumberedRow(id: 1))
  var row: NumberedRow? = NumberedRow(id: 1)
}

private struct PlacesInteractor: Interactor {
  let owner: Owner<NumberedRow>

  func children(of store: MutatingStore<Places, Int>) -> Children<Places> {
    Child(case: \.route, Places.Route.row) { NumberInteractor(owner: owner) }
    Child(\.row) { NumberInteractor(owner: owner) }
  }

  func onAction(_ action: Int, store: MutatingStore<Places, Int>) {}
}

private struct NumberInteractor: Interactor {
  let owner: Owner<NumberedRow>

  func onAction(_ action: Int, store: MutatingStore<NumberedRow, Int>) { owner.store = store }
}
