import SignalboxTesting
import Testing

@testable import Signalbox

/// Hooks that observe the events of their own family.
@MainActor @Suite(.opensGates) struct EventHookTests {
  typealias Lines = Signal<String>

  /// How the events come to the hook.
  enum Way: CaseIterable {
    case plain, filtered, shared, relayed, emitted, debounced
  }

  let gate = StoreGate()

  @Test("H6 what follows from a hook is forgotten after 20,000 events, whatever caused them")
  func forgets() {
    var runs = HookRuns()
    for event in 1...20_002 { runs.add(event, of: 0) }
    #expect(!runs.has(1, followedFrom: 0) && runs.has(20_002, followedFrom: 0))
  }

  @Test(
    "H6 a hook receives the events of its store but those that it makes", arguments: Way.allCases)
  func ownEvents(way: Way) async {
    let clock = TestClock()
    let emitter = Emitter<String>()
    let station = EventStation { lines, store, hear in
      let lines: Lines =
        switch way {
        case .plain: lines
        case .filtered: lines.filter { $0 != "started" }.map { $0 }
        case .shared: lines.share(replay: 1)
        case .relayed: Signal { subscriber in lines.sink { subscriber.receive($0) } }
        case .emitted: emitter.signal
        case .debounced: lines.debounce(for: .seconds(1), clock: clock)
        }
      return lines.sink { line in
        hear("own", line)
        store.log.append(line)
        store.send("echo")
      }
    }
    let emitting = way == .emitted ? station.lines().sink { emitter.send($0) } : nil
    station.begin()
    station.heard = [:]
    station.store?.send("go")
    await clock.advance(by: .seconds(5))
    let expected = ["dispatched go", "change", "finished go"]
    #expect(station.heard["own"] == (way == .debounced ? ["finished go"] : expected))
    // It goes on hearing what others do.
    station.store?.binder.count.wrappedValue = 5
    await clock.advance(by: .seconds(5))
    #expect(station.heard["own"]?.last == "change")
    station.store = nil
    withExtendedLifetime(emitting) {}
  }

  @Test("H6 neither of two subscriptions of a hook receives what the other one makes")
  func twoSubscriptions() {
    let station = EventStation { lines, store, hear in
      let hooks = ["a", "b"].map { name in
        lines.sink { line in
          hear(name, line)
          store.title += name
        }
      }
      return Subscription { for hook in hooks { hook.cancel() } }
    }
    station.begin()
    station.heard = [:]
    station.store?.send("go")
    #expect(station.heard["a"] == station.heard["b"])
    #expect(station.heard["a"] == ["dispatched go", "change", "finished go"])
    station.store = nil
  }

  @Test("H6 hooks that observe one another's events come to an end")
  func ofDifferentCases() {
    var heard: [ThreeHooks: [String]] = [:]
    var outer: DeskStore?
    let begin = Emitter<Void>()
    let store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, ThreeHooks>(
        connect: { hook, store in
          guard hook != .third else { return .empty }
          return begin.signal
            .flatMapLatest { outer?.events ?? .never }
            .sink { event in
              heard[hook, default: []].append(StoreJournal<Desk, Job>.line(event.kind))
              if heard[hook]?.count == 1_000 { outer = nil }
              store.count += 1
            }
        }))
    outer = store
    begin.send()
    heard = [:]
    store.binder.title.wrappedValue = "x"
    // The change, and what the other hook makes of it.
    #expect((3..<20).contains(heard[.first]?.count ?? 0), "\(heard)")
    #expect((3..<20).contains(heard[.second]?.count ?? 0), "\(heard)")
    outer = nil
  }

  @Test("H6 what the work and the tasks of a hook make later is not delivered to it either")
  func laterEvents() async {
    let station = EventStation { lines, store, hear in
      lines.sink { line in
        hear("own", line)
        guard line == "dispatched go" else { return }
        store.run { store in
          try await gate.pass("run")
          store.count += 1
        }
        Task {
          try await gate.pass("task")
          store.title = "task"
          gate.arrive(at: "end")
        }
      }
    }
    station.begin()
    station.heard = [:]
    station.store?.send("go")
    gate.open("run")
    await station.store?.settle()
    await gate.arrival(at: "task")
    gate.open("task")
    await gate.arrival(at: "end")
    #expect(station.store?.count == 2 && station.store?.title == "task")
    #expect(station.heard["own"] == ["dispatched go", "change", "finished go"])
    station.store = nil
  }

  @Test("H6 a hook of a child may observe its parent's events, and one of a parent its child's")
  func families() {
    let family = EventFamily()
    let store = Store(state: EventFamily.Pair(), interactor: family)
    family.root = store
    family.begin.send()
    family.heard = [:]
    store.binder.name.wrappedValue = "x"
    #expect((1..<20).contains(family.heard["child"]?.count ?? 0), "\(family.heard)")
    store.child(\.child, EventFamily.Child.self)?.send(1)
    #expect((1..<40).contains(family.heard["parent"]?.count ?? 0), "\(family.heard)")
    family.root = nil
  }
}

/// A store with a hook that can observe the events of the store.
@MainActor private final class EventStation {
  typealias Connect =
    @MainActor (
      Signal<String>, MutatingStore<Desk, Job>, @escaping @MainActor (String, String) -> Void
    ) -> Subscription

  var store: DeskStore?
  var heard: [String: [String]] = [:]
  private let start = Emitter<Void>()

  init(_ connect: @escaping Connect) {
    store = DeskStore(
      state: Desk(),
      interactor: Hooking<Desk, Job, OneHook>(
        connect: { [unowned self] _, store in
          connect(start.signal.flatMapLatest { [unowned self] in lines() }, store) {
            [unowned self] name, line in hear(name, line)
          }
        },
        handle: { job, store in if job == "go" { store.count += 1 } }))
  }

  /// Lets the hook observe, for which the store had to be there.
  func begin() { start.send() }

  func lines() -> Signal<String> {
    store?.events.map { StoreJournal<Desk, Job>.line($0.kind) } ?? .never
  }

  private func hear(_ name: String, _ line: String) {
    heard[name, default: []].append(line)
    // The loop that this is about would not end.
    if heard[name]?.count == 1_000 { store = nil }
  }
}

/// A parent and a child whose hooks observe the events of both.
@MainActor private final class EventFamily: @MainActor Interactor {
  struct Pair: Equatable {
    var name = ""
    var child: Int? = 0
  }

  struct Child: Interactor {
    unowned let family: EventFamily

    func onAction(_ action: Int, store: MutatingStore<Int, Int>) { store.state += action }

    func subscription(for hook: OneHook, store: MutatingStore<Int, Int>) -> Subscription {
      family.begin.signal.flatMapLatest { family.root?.events ?? .never }.sink { _ in
        family.hear("child")
        store.state += 1
      }
    }
  }

  var root: Store<Pair, Int>?
  var heard: [String: [String]] = [:]
  let begin = Emitter<Void>()

  func hear(_ name: String) {
    heard[name, default: []].append(name)
    if heard[name]?.count == 1_000 { root = nil }
  }

  func onAction(_ action: Int, store: MutatingStore<Pair, Int>) {}

  func children(of store: MutatingStore<Pair, Int>) -> Children<Pair> {
    Signalbox.Child(\.child) { Child(family: self) }
  }

  func subscription(for hook: OneHook, store: MutatingStore<Pair, Int>) -> Subscription {
    begin.signal
      .flatMapLatest { [unowned self] in
        root?.child(\.child, Child.self)?.events ?? .never
      }
      .sink { [unowned self] _ in
        hear("parent")
        store.name += "p"
      }
  }
}
