import Testing

@testable import Signalbox

/// How the cost of changes grows with the number and the depth of live children, in calls of user code.
@MainActor struct ChildGrowthTests {
  /// Counts the calls on the main actor.
  final class Calls { var ids = 0, equals = 0, hashes = 0 }

  struct Key: Hashable {
    let calls: Calls
    let number: Int

    static func == (l: Key, r: Key) -> Bool {
      l.calls.equals += 1
      return l.number == r.number
    }

    func hash(into hasher: inout Hasher) {
      calls.hashes += 1
      hasher.combine(number)
    }
  }

  struct Item: Identifiable {
    let calls: Calls
    let number: Int
    var count = 0
    var items: [Item] = []
    var named: [Key: Item] = [:]

    var id: Key {
      calls.ids += 1
      return Key(calls: calls, number: number)
    }
  }

  /// An item whose items have hooks, so all of them are live.
  struct Feature: Interactor {
    let isNested: Bool

    func children(of store: MutatingStore<Item, Int>) -> Children<Item> {
      Each(\.items) { _ in Feature(isNested: isNested) }
      Each(\.named) { _ in Feature(isNested: isNested) }
    }

    func onAction(_ action: Int, store: MutatingStore<Item, Int>) { store.count = action }

    func subscription(for hook: OnlyHook, store: MutatingStore<Item, Int>) -> Subscription {
      isNested ? .empty : store.publisher.count.sink { _ in }
    }
  }

  private typealias Parent = MutatingStore<Item, Int>

  private func cost(_ count: Int, _ change: (Parent, Store<Item, Int>, Calls) -> Void) -> Int {
    let calls = Calls()
    let items = (0..<count).map { Item(calls: calls, number: $0) }
    let store = Store(
      state: Item(calls: calls, number: -1, items: items), interactor: Feature(isNested: false))
    #expect(store.engine.liveChildren.count == count)
    (calls.ids, calls.equals, calls.hashes) = (0, 0, 0)
    change(store.instruments.arranging, store, calls)
    #expect(store.engine.liveChildren.count == store.items.count)
    return calls.ids + calls.equals + calls.hashes
  }

  @Test("C17 A change of one of many live elements asks only those that it concerns")
  func single() {
    let changes: [(Parent, Store<Item, Int>, Calls) -> Void] = [
      { store, _, calls in store.items.append(Item(calls: calls, number: 9_000)) },
      { store, _, calls in store.items.insert(Item(calls: calls, number: 9_000), at: 3) },
      { store, _, _ in store.items.remove(at: 4) },
      { store, _, _ in store.items.insert(store.items.remove(at: 2), at: 7) },
      { store, _, _ in store.items[5].count = 1 },
    ]
    for change in changes {
      let (few, many) = (cost(10, change), cost(2_000, change))
      // Keys whose hashes begin alike are compared, and the hashes differ in each process.
      #expect(many < few + 200)
    }
  }

  @Test("C17 The writes of one batch cost as many looks as there are writes")
  func batch() {
    let inChildren: (Int) -> (Parent, Store<Item, Int>, Calls) -> Void = { count in
      { store, handle, calls in
        let keys = (0..<count).map { Key(calls: calls, number: $0) }
        store.batch {
          for key in keys { handle.child(\.items, id: key, Feature.self)?.dispatch(1) }
        }
      }
    }
    let byParent: (Int) -> (Parent, Store<Item, Int>, Calls) -> Void = { count in
      { store, _, _ in store.batch { for index in 0..<count { store.items[index].count = 1 } } }
    }
    for change in [inChildren, byParent] {
      #expect(cost(1_000, change(1_000)) <= 12 * cost(100, change(100)))
    }
  }

  @Test("C17 A write asks each level around it a fixed number of times", arguments: [true, false])
  func depth(isArray: Bool) throws {
    func cost(_ depth: Int) throws -> Int {
      let calls = Calls()
      let key = Key(calls: calls, number: 0)
      var item = Item(calls: calls, number: 0)
      for _ in 0..<depth {
        item =
          isArray
          ? Item(calls: calls, number: 0, items: [item])
          : Item(calls: calls, number: 0, named: [key: item])
      }
      let store = Store(state: item, interactor: Feature(isNested: true))
      var leaf = store
      for _ in 0..<depth {
        leaf = try #require(
          isArray
            ? leaf.child(\.items, id: key, Feature.self)
            : leaf.child(\.named, id: key, Feature.self))
      }
      let subscription = leaf.publisher.count.sink { _ in }
      (calls.ids, calls.equals, calls.hashes) = (0, 0, 0)
      leaf.dispatch(3)
      #expect(leaf.count == 3)
      withExtendedLifetime((store, subscription)) {}
      return calls.ids + calls.equals + calls.hashes
    }
    #expect(try cost(64) <= 9 * cost(8))
  }
}
