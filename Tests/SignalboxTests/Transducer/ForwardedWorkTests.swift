import Testing

@testable import Signalbox

/// The work of children of `forward` whose states go.
@Suite(.opensGates, .timeLimit(.minutes(60))) @MainActor struct ForwardedWorkTests {
  private let gate = StoreGate()
  private let store: Store<ForwardHouse.State, ForwardHouse.Event>

  init() { store = Store(state: .init(), transducer: ForwardHouse.self, env: gate) }

  private func waiting(_ name: String) -> Clockwork.Event { Self.waiting(name) }

  /// Starts work that waits at a door, sends an event and arrives at another door.
  private static func waiting(_ name: String) -> Clockwork.Event {
    Clockwork.Event(name) {
      .run { input, gate in
        try await gate.pass(name)
        try? input.post("late")
        await gate.arrive(at: "done")
      }
    }
  }

  @Test("X3 The work of a child has ended before anything is told that its state has gone")
  func ends() async {
    store.send(.attic(.hall(waiting("a"))))
    #expect(store.runningCount == 1)
    var counts: [Int] = []
    let title = store.publisher.title.sink { [store] _ in counts.append(store.runningCount) }
    store.send(
      .change {
        $0.title = "lower"
        $0.attic = nil
      })
    #expect(counts == [0])
    title.cancel()
    // What the work sends is dropped, and changes no later child.
    var drops = 0
    let events = store.events.sink { if case .dropped = $0.kind { drops += 1 } }
    store.send(.change { $0.attic = ForwardFloor.State() })
    await gate.arrival(at: "a")
    gate.open("a")
    await gate.arrival(at: "done")
    store.send(.change { _ in })
    #expect(drops == 1)
    #expect(store.attic?.hall.log == [])
    events.cancel()
  }

  @Test("X3 The work of an element, and of a child within a child, ends with its own state only")
  func elements() {
    for name in ["a", "b"] {
      store.send(.floor(name, .hall(waiting(name))))
      store.send(.floor(name, .room(waiting(name))))
    }
    store.send(.ground(.hall(waiting("c"))))
    store.send(.ground(.room(waiting("c"))))
    #expect(store.runningCount == 6)
    store.send(.change { $0.floors["a"] = nil })
    #expect(store.runningCount == 4)
    store.send(.change { $0.floors["b"]?.room = nil })
    #expect(store.runningCount == 3)
    store.send(.change { $0.ground.room = nil })
    #expect(store.runningCount == 2)
    // One that goes and comes back in one event is the same child.
    store.send(
      .change {
        $0.floors["b"] = nil
        $0.floors["b"] = ForwardFloor.State()
      })
    #expect(store.runningCount == 2)
    store.cancelAll()
  }

  @Test("X3 What a child starts in the event that ends it is dropped, except for fireAndForget")
  func last() async {
    var drops: [String] = []
    let events = store.events.sink {
      if case .dropped(let attempt) = $0.kind { drops.append("\(attempt)") }
    }
    let event = Clockwork.Event("last") {
      .merge([
        .run { _, gate in await gate.arrive(at: "never") },
        .fireAndForget { gate in await gate.arrive(at: "saved") },
      ])
    }
    store.send(.last(.hall(event)))
    await gate.arrival(at: "saved")
    await store.settle()
    #expect(drops == ["run"])
    events.cancel()
  }

  @Test("X3 The work of a child behind an index ends with it, and goes on where nothing can tell")
  func missing() {
    store.send(.hut(1, waiting("a")))
    store.send(.named("a", waiting("b")))
    store.send(.shed(1, waiting("c")))
    store.send(.shed(0, waiting("c")))
    #expect(store.runningCount == 4)
    store.send(.change { $0.huts.removeLast() })
    #expect(store.runningCount == 3)
    // The index of a shed is its place in the array, whichever shed has been removed.
    store.send(.change { $0.sheds.removeFirst() })
    #expect(store.runningCount == 2)
    store.send(.change { $0.sheds = [] })
    #expect(store.runningCount == 1)
    store.send(.change { $0.floors = [:] })
    #expect(store.runningCount == 1)
    store.cancelAll()
  }

  @Test("X3 C7 The state is looked at only while there is work of a child that may go")
  func looking() {
    let storage = store.engine.storage
    #expect(storage.sites.isEmpty)
    store.send(.ground(.hall(waiting("a"))))
    #expect(storage.sites.isEmpty)
    store.send(.attic(.hall(waiting("a"))))
    store.send(.attic(.room(waiting("a"))))
    #expect(storage.sites.count == 1)
    store.send(.change { $0.attic?.room = nil })
    #expect(storage.sites.count == 1)
    store.send(.change { $0.attic = nil })
    #expect(storage.sites.isEmpty)
    // Not `isQuiet`, because another test may have a log.
    #expect(storage.access.pointee.flags == 0)
    #expect(store.runningCount == 1)
    store.cancelAll()
  }

  private struct Town: Interactor {
    struct State {
      var first = ForwardHouse.State()
      var rest = ["x": ForwardHouse.State()]
    }
    let gate: StoreGate

    func children(of store: MutatingStore<State, Int>) -> Children<State> {
      Child(\.first) { ForwardHouse.feature(env: gate) }
      Each(\.rest) { _ in ForwardHouse.feature(env: gate) }
    }

    func onAction(_ action: Int, store: MutatingStore<State, Int>) {
      store.first.attic = nil
      store.rest["x"]?.floors["a"] = nil
    }
  }

  @Test("X3 C10 A parent store that removes the state of a transducer's child ends its work")
  func withinChildren() throws {
    let town = Store(state: Town.State(), interactor: Town(gate: gate))
    let first = town.child(\.first, ForwardHouse.self)
    let other = try #require(town.child(\.rest, id: "x", ForwardHouse.self))
    for house in [first, other] {
      house.dispatch(.attic(.hall(waiting("a"))))
      house.dispatch(.floor("a", .room(waiting("a"))))
    }
    #expect(first.runningCount == 2 && other.runningCount == 2)
    town.dispatch(1)
    #expect(first.runningCount == 1 && other.runningCount == 1)
    other.dispatch(.change { $0.attic = nil })
    #expect(town.runningCount == 1)
  }
}
