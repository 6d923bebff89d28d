import Signalbox

/// Measures a collection of children without hooks, work, handles and observers (C7).
///
/// It should cost what its array costs.
@MainActor enum ChildRows {
  static let comparisons = [
    Comparison("C7", "a store of 10,000 rows is made and released") {
      Sides(
        Subject("rows that are children", made(10_000)),
        beside: [
          Subject("rows that are not", plainMade(10_000)).atMost(1.5),
          Subject("a bare array", arrayMade(10_000)).unlimited,
        ])
    },
    Comparison("C7", "a row is appended to 10,000") {
      Sides(
        Subject("rows that are children", appending(to: 10_000)),
        beside: [Subject("a bare array", appendingToArray(of: 10_000)).unlimited])
    },
    Comparison("C7", "a row is removed from the middle of 10,000, and inserted again") {
      Sides(
        Subject("rows that are children", removing(from: 10_000)),
        beside: [Subject("a bare array", removingFromArray(of: 10_000)).atMost(1.2)])
    },
  ]

  static func made(_ size: Int) -> @MainActor (Int) -> Void {
    return { count in
      for _ in 0..<count {
        blackHole(Store(state: RowTable(size), interactor: RowTableInteractor(taker: Taker())))
      }
    }
  }

  static func plainMade(_ size: Int) -> @MainActor (Int) -> Void {
    return { count in
      for _ in 0..<count {
        blackHole(Store(state: RowTable(size), interactor: PlainTableInteractor()))
      }
    }
  }

  static func arrayMade(_ size: Int) -> @MainActor (Int) -> Void {
    return { count in
      for _ in 0..<count { blackHole(RowTable(size)) }
    }
  }

  /// Appends a row and removes it again.
  static func appending(to size: Int) -> @MainActor (Int) -> Void {
    let (store, writing) = store(size)
    return { count in
      for _ in 0..<count {
        writing.rows.append(Leaf(id: size))
        writing.rows.removeLast()
      }
      blackHole(store)
    }
  }

  static func appendingToArray(of size: Int) -> @MainActor (Int) -> Void {
    let bare = Bare(size)
    return { count in
      for _ in 0..<count { bare.append(size) }
    }
  }

  /// Removes a row from the middle and inserts it again.
  static func removing(from size: Int) -> @MainActor (Int) -> Void {
    let (store, writing) = store(size)
    return { count in
      for _ in 0..<count {
        let row = writing.rows.remove(at: size / 2)
        writing.rows.insert(row, at: size / 2)
      }
      blackHole(store)
    }
  }

  static func removingFromArray(of size: Int) -> @MainActor (Int) -> Void {
    let bare = Bare(size)
    return { count in
      for _ in 0..<count { bare.remove(at: size / 2) }
    }
  }

  private static func store(_ size: Int) -> (Store<RowTable, Int>, MutatingStore<RowTable, Int>) {
    let taker = Taker()
    let store = Store(state: RowTable(size), interactor: RowTableInteractor(taker: taker))
    store.dispatch(0)
    guard let writing = taker.store else { fatalError("the action has not begun") }
    return (store, writing)
  }

  private final class Bare {
    private var rows: [Leaf]

    init(_ size: Int) { rows = RowTable(size).rows }

    @inline(never) func append(_ id: Int) {
      rows.append(Leaf(id: id))
      rows.removeLast()
    }

    @inline(never) func remove(at index: Int) {
      let row = rows.remove(at: index)
      rows.insert(row, at: index)
    }
  }
}

private struct RowTable {
  var rows: [Leaf]
  init(_ size: Int) { rows = (0..<size).map { Leaf(id: $0) } }
}

/// Takes the `MutatingStore` of a parent.
@MainActor private final class Taker {
  var store: MutatingStore<RowTable, Int>?
}

private struct RowTableInteractor: Interactor {
  let taker: Taker

  func onAction(_ action: Int, store: MutatingStore<RowTable, Int>) async { taker.store = store }

  func children(of store: MutatingStore<RowTable, Int>) -> Children<RowTable> {
    Each(\.rows) { _ in RowInteractor() }
  }
}

/// Declares no children.
private struct PlainTableInteractor: Interactor {
  func onAction(_ action: Int, store: MutatingStore<RowTable, Int>) async {}
}

private struct RowInteractor: Interactor {
  func onAction(_ action: Int, store: MutatingStore<Leaf, Int>) async { store.count += action }
}
