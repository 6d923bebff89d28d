import Signalbox
import SignalboxTesting
import Testing

/// Test stores of children of which one follows another at the same place.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ReplacedChildTests {
  private struct User: Equatable, Identifiable {
    var id = 1
    var count = 0
  }

  private enum Route: Equatable {
    case home
    case session(User)
  }

  private struct App: Equatable {
    var user: User? = User()
    var route = Route.session(User())
    var path = [Route.session(User())]
    var rows = [User()]

    mutating func replace() {
      let next = User(id: 2, count: 50)
      user = next
      route = .session(next)
      path = [.session(next)]
      rows = []
    }
  }

  private enum AppAction: Equatable { case replace, reload, change, leave }

  private enum UserAction: Equatable { case add, wait }

  private struct UserFeature: Interactor {
    let gate: TestEndpoint<Int, Int>

    func onAction(_ action: UserAction, store: MutatingStore<User, UserAction>) async throws {
      if action == .wait { store.count = try await gate(store.id) }
      store.count += 1
    }
  }

  private struct AppFeature: Interactor {
    let gate: TestEndpoint<Int, Int>

    func children(of store: MutatingStore<App, AppAction>) -> Children<App> {
      Child(\.user) { UserFeature(gate: gate) }
      Child(case: \.route, Route.session) { UserFeature(gate: gate) }
      Each(\.path) { Case(Route.session) { UserFeature(gate: gate) } }
      Each(\.rows) { _ in UserFeature(gate: gate) }
    }

    func onAction(_ action: AppAction, store: MutatingStore<App, AppAction>) {
      switch action {
      case .replace: store.state.replace()
      case .reload:
        store.rows = []
        store.rows = [User(id: 1, count: 9)]
      case .change: store.user?.count = 7
      case .leave: store.user = nil
      }
    }
  }

  private let gate = TestEndpoint<Int, Int>("gate", heedsCancellation: false)

  private func makeStore(exhaustive: Bool = false) -> TestStore<App, AppAction> {
    TestStore(state: App(), interactor: AppFeature(gate: gate), exhaustive: exhaustive)
  }

  private typealias Place = @MainActor (TestStore<App, AppAction>) -> TestStore<User, UserAction>?

  private static let places: [(name: String, child: Place)] = [
    ("optional", { $0.child(\.user, UserFeature.self) }),
    ("case", { $0.child(case: \.route, Route.session, UserFeature.self) }),
    ("screen", { $0.child(\.path, at: 0, UserFeature.self) }),
  ]

  @Test(
    "T12 C14 a child that is replaced keeps its last value and what was asserted of it",
    arguments: 0..<3, [false, true])
  func first(_ place: Int, exhaustive: Bool) async throws {
    let store = makeStore(exhaustive: exhaustive)
    let first = try #require(Self.places[place].child(store))
    await first.dispatch(.add) { $0.count = 1 }
    await store.dispatch(.replace) { $0.replace() }
    first.expect { _ in }
    #expect(first.state == User(id: 1, count: 1))
    #expect(first.stateUpdates == [User(id: 1, count: 1)])
    // What it asserts is not asserted of the other one.
    let second = try #require(Self.places[place].child(store))
    await second.dispatch(.add) { $0.count = 51 }
    first.expect { _ in }
    #expect(first.triggeredActions == [.add])
    #expect(first.stateUpdates.count == 1)
    await store.finish()
  }

  @Test(
    "T12 C14 a child that replaces another begins with its own first event", arguments: 0..<3)
  func second(_ place: Int) async throws {
    let store = makeStore(exhaustive: true)
    let first = try #require(Self.places[place].child(store))
    await first.dispatch(.add) { $0.count = 1 }
    await store.dispatch(.replace) { $0.replace() }
    let second = try #require(Self.places[place].child(store))
    #expect(second !== first)
    #expect(second.triggeredActions.isEmpty)
    #expect(second.stateUpdates.isEmpty)
    await second.dispatch(.add) { $0.count = 51 }
    #expect(second.stateUpdates == [User(id: 2, count: 51)])
    #expect(second.triggeredActions == [.add])
    let failure = await failures { second.expect { $0.count = 0 } }.only
    #expect(failure.section("Difference:") == ["count: expected 0, is 51"], "\(failure)")
    let events = failure.section("Last events:")
    #expect(events.first == "dispatched .add", "\(failure)")
    #expect(events.last == "finished .add after … ms", "\(failure)")
    await store.finish()
  }

  @Test("T12 C4 an element that is removed and comes back is another child")
  func element() async throws {
    let store = makeStore(exhaustive: true)
    let first = try #require(store.child(\.rows, id: 1, UserFeature.self))
    await store.dispatch(.reload) { $0.rows = [User(id: 1, count: 9)] }
    #expect(first.state == User())
    first.expect { _ in }
    let second = try #require(store.child(\.rows, id: 1, UserFeature.self))
    await second.dispatch(.add) { $0.count = 10 }
    first.expect { _ in }
    await store.finish()
  }

  @Test("T12 the work of a child that was replaced is its own to the end")
  func work() async throws {
    let store = makeStore()
    let first = try #require(store.child(\.user, UserFeature.self))
    first.send(.wait)
    await store.dispatch(.replace) { $0.replace() }
    let second = try #require(store.child(\.user, UserFeature.self))
    second.send(.wait)
    await gate.reply(to: 1, with: 10)
    await gate.reply(to: 2, with: 20)
    second.expect { $0.count = 21 }
    for child in [first, second] {
      let text = await failures { child.expect { $0.id = 9 } }.only
      let events = text.section("Last events:")
      #expect(events.count { $0.hasPrefix("dispatched .wait") } == 1, "\(text)")
      #expect(events.count { $0.hasPrefix("dropped") } == (child === first ? 2 : 0), "\(text)")
    }
    #expect(first.stateUpdates.isEmpty)
    #expect(second.stateUpdates.map(\.count) == [20, 21])
  }

  private struct Tree: Equatable, Identifiable {
    var id = 1
    var size = 0
    var leaf = User(id: 0)
  }

  private struct Garden: Equatable {
    var tree: Tree? = Tree()
  }

  /// Begins with its state, and grows at once.
  private struct TreeFeature: Interactor {
    let gate: TestEndpoint<Int, Int>

    func children(of store: MutatingStore<Tree, String>) -> Children<Tree> {
      Child(\.leaf) { UserFeature(gate: gate) }
    }

    func onAction(_ action: String, store: MutatingStore<Tree, String>) { store.size += 1 }

    func subscription(for hook: OneHook, store: MutatingStore<Tree, String>) -> Subscription {
      store.send("grow")
      return .empty
    }
  }

  private struct GardenFeature: Interactor {
    let gate: TestEndpoint<Int, Int>

    func children(of store: MutatingStore<Garden, Int>) -> Children<Garden> {
      Child(\.tree) { TreeFeature(gate: gate) }
    }

    func onAction(_ action: Int, store: MutatingStore<Garden, Int>) {
      store.tree = Tree(id: action)
    }
  }

  @Test("T12 C14 children that begin with their states, and their children, are told apart")
  func nested() async throws {
    let store = TestStore(state: Garden(), interactor: GardenFeature(gate: gate))
    func tree() throws -> TestStore<Tree, String> {
      try #require(store.child(\.tree, TreeFeature.self))
    }
    let first = try tree()
    let leaf = first.child(\.leaf, UserFeature.self)
    await leaf.dispatch(.add) { $0.count = 1 }
    store.send(2)
    let second = try tree()
    let other = second.child(\.leaf, UserFeature.self)
    await other.dispatch(.add) { $0.count = 1 }
    await other.dispatch(.add) { $0.count = 2 }
    for (tree, id) in [(first, 1), (second, 2)] {
      #expect(tree.triggeredActions == ["grow"])
      #expect(tree.stateUpdates.first == Tree(id: id, size: 1))
      #expect(tree.stateUpdates.map(\.leaf.count) == Array(0...id))
    }
    #expect(leaf.triggeredActions == [.add])
    #expect(leaf.stateUpdates.map(\.count) == [1])
    #expect(other.stateUpdates.map(\.count) == [1, 2])
    leaf.expect { _ in }
    await leaf.dispatch(.add) { _ in }
    #expect(leaf.stateUpdates.count == 1)
  }

  @Test("T12 what happened before the test asked for the test store of a child belongs to it")
  func asked() async throws {
    let store = makeStore(exhaustive: true)
    await store.dispatch(.change)
    let user = try #require(store.child(\.user, UserFeature.self))
    user.expect { $0.count = 7 }
    #expect(user.stateUpdates == [User(id: 1, count: 7)])
    await store.finish()
  }

  @Test("T12 an action that is dispatched to a child that is gone says so")
  func gone() async throws {
    let store = makeStore()
    let user = try #require(store.child(\.user, UserFeature.self))
    await store.dispatch(.leave) { $0.user = nil }
    let text = await failures { await user.dispatch(.add) { $0.count = 1 } }.only
    #expect(text.headline == "\\.user: dispatch(.add): nothing changed. The child is gone.")
  }
}
