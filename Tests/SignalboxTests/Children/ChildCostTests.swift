import Testing

@testable import Signalbox

/// What children cost, counted in calls of `id` and `==`.
@MainActor struct ChildCostTests {
  /// Counts the calls on the main actor.
  final class Calls { var ids = 0, equals = 0 }

  struct Item: Identifiable, Equatable {
    let calls: Calls
    let number: Int
    var text = ""

    var id: Int {
      calls.ids += 1
      return number
    }

    static func == (l: Item, r: Item) -> Bool {
      l.calls.equals += 1
      return l.number == r.number && l.text == r.text
    }
  }

  struct ListState { var items: [Item] = [], title = "" }

  struct List: Interactor {
    func children(of store: MutatingStore<ListState, Never>) -> Children<ListState> {
      Each(\.items) { _ in ItemFeature() }
    }

    func onAction(_ action: Never, store: MutatingStore<ListState, Never>) {}
  }

  struct ItemFeature: Interactor {
    func onAction(_ action: String, store: MutatingStore<Item, String>) { store.text = action }
  }

  private func store(_ count: Int, _ calls: Calls) -> Store<ListState, Never> {
    Store(
      state: ListState(items: (0..<count).map { Item(calls: calls, number: $0) }),
      interactor: List())
  }

  private func cost(besideSiblings count: Int) throws -> (ids: Int, equals: Int) {
    let calls = Calls()
    let store = store(count, calls)
    let handles = (0..<count).compactMap { store.child(\.items, id: $0, ItemFeature.self) }
    let subscriptions = handles.map { $0.publisher.text.sink { _ in } }
    let child = try #require(handles.last)
    (calls.ids, calls.equals) = (0, 0)
    child.dispatch("a")
    child.binder.text.wrappedValue = "b"
    #expect(store.items[count - 1].text == "b")
    withExtendedLifetime(subscriptions) {}
    return (calls.ids, calls.equals)
  }

  @Test("C3 A write in an element looks at no sibling")
  func siblings() throws {
    let few = try cost(besideSiblings: 10)
    let many = try cost(besideSiblings: 1_000)
    #expect(few == many)
    #expect(many.ids < 40)
  }

  @Test("C3 The state of a child is at the address of its part, however deep it is")
  func depth() {
    let store = Store(state: StationState(), interactor: Station())
    let settings = store.child(\.settings, StationSettings.self)
    let inner = settings.child(\.inner, StationDepth.self)
    let root = store.engine.storage
    #expect(inner.engine.storage.home === root)
    #expect(inner.engine.storage.root === root)
    #expect(!inner.engine.storage.isAway)
    inner.binder.depth.wrappedValue = 3
    #expect(store.settings.inner.depth == 3)
  }

  @Test("C7 Making a store looks at the first element only")
  func making() {
    func cost(_ count: Int) -> Int {
      let calls = Calls()
      let store = store(count, calls)
      return withExtendedLifetime(store) { calls.ids }
    }
    #expect(cost(10) == cost(1_000))
    #expect(cost(1_000) < 10)
  }

  @Test("C7 Without live children, a change of a collection looks at no element")
  func noLiveChildren() {
    let calls = Calls()
    let store = store(1_000, calls)
    (calls.ids, calls.equals) = (0, 0)
    let parent = store.instruments.arranging
    parent.items.append(Item(calls: calls, number: -1))
    parent.items.remove(at: 3)
    parent.items[5].text = "x"
    #expect(calls.ids == 0)
    #expect(calls.equals == 0)
    // Not `isQuiet`, because another test may have a log.
    #expect(store.engine.storage.access.pointee.flags == 0)
  }

  @Test("C7 Replacing or removing all live elements looks at each of them a few times")
  func replacing() {
    func cost(_ count: Int, replaced: Bool) -> Int {
      let calls = Calls()
      let store = store(count, calls)
      let parent = store.instruments.arranging
      let handles = (0..<count).compactMap { store.child(\.items, id: $0, ItemFeature.self) }
      let new = (0..<count).map { Item(calls: calls, number: -1 - $0) }
      calls.ids = 0
      parent.items = replaced ? new : []
      #expect(handles.allSatisfy { $0.text == "" })
      #expect(store.engine.liveChildren.isEmpty)
      return calls.ids
    }
    for replaced in [true, false] {
      #expect(cost(1_000, replaced: replaced) < 12 * cost(100, replaced: replaced))
      #expect(cost(1_000, replaced: replaced) < 20_000)
    }
  }

  @Test("C7 A change of a collection looks at the live children only")
  func liveChildren() throws {
    let calls = Calls()
    let store = store(1_000, calls)
    let parent = store.instruments.arranging
    _ = try #require(store.child(\.items, id: 500, ItemFeature.self))
    (calls.ids, calls.equals) = (0, 0)
    parent.items.append(Item(calls: calls, number: -1))
    #expect(calls.ids < 20)
    #expect(calls.equals == 0)
  }
}
