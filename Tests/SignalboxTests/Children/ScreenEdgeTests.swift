import Testing

@testable import Signalbox

/// Screens in unusual enums, at depth, in great numbers and while changes are pending.
@MainActor struct ScreenEdgeTests {
  private indirect enum Step: Equatable {
    case one(Leaf)
    case two(a: Leaf)
    case object(Box)
    case deep(Trail)
  }

  private final class Box: Equatable {
    var text = ""
    static func == (a: Box, b: Box) -> Bool { a === b }
  }

  private struct Leaf: Equatable { var text = "", seen = "" }

  private struct Trail: Equatable, Identifiable {
    var id = 0
    var path: [Step] = []
    var trails: [Int: [Step]] = [:]
    var text = ""
  }

  private struct LeafFeature: Interactor {
    func onAction(_ text: String, store: MutatingStore<Leaf, String>) async {
      store.text = text
    }

    func subscription(
      for hook: StationEditorHook, store: MutatingStore<Leaf, String>
    ) -> Subscription {
      store.publisher.text.assign(to: \.seen, using: store)
    }
  }

  private struct TrailFeature: Interactor {
    func children(of store: MutatingStore<Trail, TrailAction>) -> Children<Trail> {
      Each(\.path) {
        Case(Step.one) { LeafFeature() }
        Case(Step.two) { LeafFeature() }
        Case(Step.deep) { TrailFeature() }
      }
    }

    func onAction(_ action: TrailAction, store: MutatingStore<Trail, TrailAction>) async throws {
      switch action {
      case .set(let path): store.path = path
      case .show(let step):
        store.optimistic { $0.path.append(step) }
        await StationJournal.waitUntilCancelled()
      }
    }
  }

  private enum TrailAction {
    case set([Step])
    case show(Step)
  }

  private let store = Store(state: Trail(), interactor: TrailFeature())

  private func leaf(_ index: Int) -> Store<Leaf, String>? {
    store.child(\.path, at: index, LeafFeature.self)
  }

  @Test("N2 The payload of a case may be boxed or have a label, and another one may be an object")
  func enums() throws {
    store.dispatch(.set([.one(Leaf()), .two(a: Leaf()), .object(Box()), .deep(Trail())]))
    leaf(0)?.dispatch("first")
    leaf(1)?.dispatch("second")
    #expect(leaf(2) == nil)
    #expect(leaf(3) == nil)
    #expect(store.path[0] == .one(Leaf(text: "first", seen: "first")))
    #expect(store.path[1] == .two(a: Leaf(text: "second", seen: "second")))
  }

  @Test("N2 Screens may be nested 64 deep, and a write in the last one reaches the first state")
  func depth() throws {
    var trail = Trail(path: [.one(Leaf())])
    for id in 1...64 { trail = Trail(id: id, path: [.deep(trail)]) }
    let store = Store(state: trail, interactor: TrailFeature())
    var changes = 0
    let subscription = store.publisher.path.sink { _ in changes += 1 }
    var inner = try #require(store.child(\.path, at: 0, TrailFeature.self))
    for _ in 1..<64 { inner = try #require(inner.child(\.path, at: 0, TrailFeature.self)) }
    try #require(inner.child(\.path, at: 0, LeafFeature.self)).dispatch("deep")
    #expect(changes == 2)
    var found = store.state
    while case .deep(let next)? = found.path.first { found = next }
    #expect(found.path == [.one(Leaf(text: "deep", seen: "deep"))])
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "N3 10,000 screens are set and removed in one commit each, and the rest keep their children")
  func many() throws {
    store.dispatch(.set(Array(repeating: .one(Leaf()), count: 10_000)))
    let (first, last) = (try #require(leaf(0)), try #require(leaf(9_999)))
    last.dispatch("last")
    #expect(store.path[9_999] == .one(Leaf(text: "last", seen: "last")))
    store.dispatch(.set([.one(Leaf(text: "kept"))]))
    #expect(leaf(0) === first)
    #expect(first.seen == "kept")
    #expect(last.text == "last")
    last.dispatch("gone")
    #expect(store.path.count == 1)
  }

  @Test("N3 A handle of a screen does not write in the screen that has taken its place")
  func replaced() throws {
    store.dispatch(.set([.deep(Trail(id: 1)), .one(Leaf())]))
    let trail = try #require(store.child(\.path, at: 0, TrailFeature.self))
    let one = try #require(leaf(1))
    store.dispatch(.set([.deep(Trail(id: 2)), .two(a: Leaf(text: "new"))]))
    trail.dispatch(.set([.one(Leaf())]))
    one.binder.text.wrappedValue = "late"
    one.dispatch("late")
    #expect(store.path == [.deep(Trail(id: 2)), .two(a: Leaf(text: "new"))])
    #expect(one.text == "")
  }

  @Test("N2 O3 A screen that only a pending change shows has a handle that drops what it does")
  func pending() throws {
    store.dispatch(.set([.one(Leaf(text: "a"))]))
    store.send(.show(.one(Leaf(text: "b"))))
    let shown = try #require(leaf(1))
    #expect(shown.text == "b")
    shown.dispatch("dropped")
    #expect(store.path == [.one(Leaf(text: "a")), .one(Leaf(text: "b"))])
    leaf(0)?.dispatch("kept")
    #expect(store.path.first == .one(Leaf(text: "kept", seen: "kept")))
    store.dispatch(.set([.one(Leaf(text: "a")), .two(a: Leaf())]))
    #expect(store.path.count == 3)
    store.cancelAll()
    #expect(store.path == [.one(Leaf(text: "a", seen: "a")), .two(a: Leaf())])
    #expect(leaf(2) == nil)
  }

  @Test("N2 A binding to a property of a screen writes, and does nothing when the screen has gone")
  func binding() throws {
    store.dispatch(.set([.one(Leaf())]))
    let text = try #require(leaf(0)).binder.text
    text.wrappedValue = "bound"
    #expect(store.path == [.one(Leaf(text: "bound", seen: "bound"))])
    store.dispatch(.set([]))
    text.wrappedValue = "late"
    #expect(text.wrappedValue == "bound")
    #expect(store.path.isEmpty)
  }
}
