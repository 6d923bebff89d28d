import Signalbox

/// Measures children: a write, an append and an action at a depth and beside siblings (C3).
@MainActor enum Features {
  static let comparisons = [
    Comparison("C3", "x += 1 in a child at depth 16, one observer") {
      Sides(
        Subject("at depth 16", deep(16).write),
        beside: [
          Subject("at depth 1", deep(1).write).atMost(1.1),
          Subject("in the root", deep(0).write).atMost(1.1),
        ])
    },
    Comparison("C3", "x += 1 in an element of 10,000, one observer") {
      Sides(
        Subject("an element", element(beside: 10_000).write),
        limits: [.time(.microseconds(2))],
        beside: [
          Subject("an element of 10", element(beside: 10).write).atMost(1.2),
          Subject("a value of a dictionary of 10,000", value(beside: 10_000).write).unlimited,
          Subject("the root", deep(0).write).unlimited,
        ])
    },
  ]

  /// The work in one child.
  struct Subjects {
    /// Adds to a number that is observed.
    let write: @MainActor (Int) -> Void
    /// Appends to an array that is observed, and removes again.
    let append: @MainActor (Int) -> Void
    /// Dispatches an action that does not suspend.
    let dispatch: @MainActor (Int) -> Void
  }

  /// The work in a child at properties within properties; at depth 0, that is the root.
  static func deep(_ depth: Int) -> Subjects {
    switch depth {
    case 0: subjects(of: Leaf())
    case 1: subjects(of: Shell<Leaf>())
    case 4: subjects(of: Four<Leaf>())
    case 16: subjects(of: Four<Four<Four<Four<Leaf>>>>())
    default: fatalError("there is no state of depth \(depth)")
    }
  }

  private static func subjects<State: Nest>(of state: State) -> Subjects {
    let leaf = LeafWriter()
    let store = Store(state: state, interactor: State.interactor(leaf))
    return subjects(of: State.leaf(in: store), leaf, keeping: store)
  }

  /// The work in an element of an array, beside others.
  static func element(beside siblings: Int) -> Subjects {
    let leaf = LeafWriter()
    let store = Store(
      state: Elements(Range(0...siblings)), interactor: ArrayInteractor(leaf: leaf))
    guard let child = store.child(\.leaves, id: siblings / 2, LeafInteractor.self) else {
      fatalError("the element is not in the array")
    }
    return subjects(of: child, leaf, keeping: store)
  }

  /// The work in a value of a dictionary, beside others.
  static func value(beside siblings: Int) -> Subjects {
    let leaf = LeafWriter()
    let store = Store(
      state: Values(Range(0...siblings)), interactor: DictionaryInteractor(leaf: leaf))
    guard let child = store.child(\.leaves, id: siblings / 2, LeafInteractor.self) else {
      fatalError("the value is not in the dictionary")
    }
    return subjects(of: child, leaf, keeping: store)
  }

  private static func subjects(
    of child: Store<Leaf, Int>, _ leaf: LeafWriter, keeping root: AnyObject
  ) -> Subjects {
    child.dispatch(0)
    guard let writing = leaf.store else { fatalError("the child has not begun its action") }
    let subscriptions = [
      child.publisher.count.sink { blackHole($0) },
      child.publisher.items.sink { blackHole($0.count) },
    ]
    func keep() { blackHole((root, subscriptions)) }
    return Subjects(
      write: { count in
        for _ in 0..<count { writing.count += 1 }
        keep()
      },
      append: { count in
        for value in 0..<count {
          writing.items.append(value)
          writing.items.removeLast()
        }
        keep()
      },
      dispatch: { count in
        for _ in 0..<count { child.dispatch(1) }
        keep()
      })
  }
}

// MARK: - States and interactors

/// The innermost state.
struct Leaf: Identifiable {
  var id = 0
  var items: [Int] = []
  var count = 0
  /// What actions change, which is not observed.
  var sum = 0
}

/// Takes the `MutatingStore` of the child, to write without the cost of an action.
@MainActor private final class LeafWriter {
  var store: MutatingStore<Leaf, Int>?
}

private struct LeafInteractor: Interactor {
  let leaf: LeafWriter

  func onAction(_ action: Int, store: MutatingStore<Leaf, Int>) async {
    if leaf.store == nil { leaf.store = store }
    store.sum += action
  }
}

/// A state with a leaf at some depth.
@MainActor private protocol Nest {
  associatedtype Feature: Interactor where Feature.State == Self, Feature.Action == Int
  init()
  static func interactor(_ leaf: LeafWriter) -> Feature
  static func leaf(in store: Store<Self, Int>) -> Store<Leaf, Int>
}

extension Leaf: Nest {
  fileprivate static func interactor(_ leaf: LeafWriter) -> LeafInteractor {
    LeafInteractor(leaf: leaf)
  }

  fileprivate static func leaf(in store: Store<Leaf, Int>) -> Store<Leaf, Int> { store }
}

private struct Shell<Inner: Nest>: Nest {
  var number = 0
  var inner = Inner()

  static func interactor(_ leaf: LeafWriter) -> ShellInteractor<Inner> {
    ShellInteractor(leaf: leaf)
  }

  static func leaf(in store: Store<Shell, Int>) -> Store<Leaf, Int> {
    Inner.leaf(in: store.child(\.inner, Inner.Feature.self))
  }
}

private typealias Four<Inner: Nest> = Shell<Shell<Shell<Shell<Inner>>>>

private struct ShellInteractor<Inner: Nest>: Interactor {
  let leaf: LeafWriter

  func onAction(_ action: Int, store: MutatingStore<Shell<Inner>, Int>) async {
    store.number += action
  }

  func children(of store: MutatingStore<Shell<Inner>, Int>) -> Children<Shell<Inner>> {
    Child(\.inner) { Inner.interactor(leaf) }
  }
}

private struct Elements {
  var leaves: [Leaf]
  init(_ ids: Range<Int>) { leaves = ids.map { Leaf(id: $0) } }
}

private struct ArrayInteractor: Interactor {
  let leaf: LeafWriter

  func onAction(_ action: Int, store: MutatingStore<Elements, Int>) async {}

  func children(of store: MutatingStore<Elements, Int>) -> Children<Elements> {
    Each(\.leaves) { _ in LeafInteractor(leaf: leaf) }
  }
}

private struct Values {
  var leaves: [Int: Leaf]
  init(_ ids: Range<Int>) {
    leaves = Dictionary(uniqueKeysWithValues: ids.map { ($0, Leaf(id: $0)) })
  }
}

private struct DictionaryInteractor: Interactor {
  let leaf: LeafWriter

  func onAction(_ action: Int, store: MutatingStore<Values, Int>) async {}

  func children(of store: MutatingStore<Values, Int>) -> Children<Values> {
    Each(\.leaves) { _ in LeafInteractor(leaf: leaf) }
  }
}
