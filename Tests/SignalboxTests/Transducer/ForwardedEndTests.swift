import Testing

@testable import Signalbox

/// Children of `forward` whose states go while their work is queued, is starting or has ended.
@Suite(.opensGates, .timeLimit(.minutes(60))) @MainActor struct ForwardedEndTests {
  private let gate = StoreGate()

  private func makeStore(_ gate: StoreGate) -> Store<ForwardHouse.State, ForwardHouse.Event> {
    Store(state: .init(), transducer: ForwardHouse.self, env: gate)
  }

  /// Starts work of the attic, and queues work behind it that arrives at two doors.
  private func queue(
    behind first: Clockwork.Effect, in store: Store<ForwardHouse.State, ForwardHouse.Event>
  ) {
    store.send(.attic(.hall(Clockwork.Event("first") { first })))
    for name in ["second", "third"] {
      let event = Clockwork.Event(name) {
        .run(id: "work", overlap: .queue) { _, gate in await gate.arrive(at: name) }
      }
      store.send(.attic(.hall(event)))
    }
    #expect(store.runningCount == 3)
  }

  /// Expects that the queued work has not started.
  ///
  /// Other work starts and ends first. Work that had started would have arrived by then, unless it is
  /// on a slow thread, and then nothing is noticed.
  private func expectNoStart(
    in store: Store<ForwardHouse.State, ForwardHouse.Event>, _ gate: StoreGate
  ) async {
    #expect(store.attic == nil && store.runningCount == 0)
    let probe = Clockwork.Event("probe") { .run { _, gate in await gate.arrive(at: "probe") } }
    store.send(.ground(.hall(probe)))
    await gate.arrival(at: "probe")
    await store.settle()
    #expect(!gate.hasArrival(at: "second") && !gate.hasArrival(at: "third"))
  }

  @Test("X3 Queued work of a child that goes does not start")
  func queued() async {
    let store = makeStore(gate)
    queue(
      behind: .run(id: "work", overlap: .queue) { _, gate in try await gate.pass("first") },
      in: store)
    await gate.arrival(at: "first")
    store.send(.change { $0.attic = nil })
    await expectNoStart(in: store, gate)
  }

  @Test("X3 Queued work does not start if the event of the work before it ends the child")
  func queuedBehindItsEnd() async {
    let ends: [Clockwork.Effect] = [
      .task(id: "work", overlap: .queue) { gate in
        try await gate.pass("first")
        return "bye"
      },
      .run(id: "work", overlap: .queue) { input, gate in
        try await gate.pass("first")
        try await input.send("bye")
      },
      .run(id: "work", overlap: .queue) { _, gate in
        try await gate.pass("first")
        throw Refusal()
      }
      .catch { _ in "bye" },
    ]
    for end in ends {
      let gate = StoreGate()
      let store = makeStore(gate)
      queue(behind: end, in: store)
      await gate.arrival(at: "first")
      gate.open("first")
      await store.settle()
      await expectNoStart(in: store, gate)
    }
  }

  @Test("X3 Work of a child ends with it even if other work of the child has joined it")
  func joined() async {
    let store = makeStore(gate)
    let input = store.input(of: ForwardHouse.self)
    func ask(_ door: String) -> Task<String?, Never> {
      let event = Clockwork.Event(door) { Clockwork.ask(door, id: "ask", .join) }
      return Task.atOnce { try? await input.request(.attic(.hall(event))) }
    }
    let answers = [ask("first"), ask("second")]
    #expect(store.runningCount == 1)
    store.send(.change { $0.attic = nil })
    #expect(store.runningCount == 0)
    for answer in answers { #expect(await answer.value == nil) }
  }

  @Test("X3 X5 A request of the parent ends with the last child that waits for it")
  func waitedFor() async {
    let store = makeStore(gate)
    let input = store.input(of: ForwardHouse.self)
    let event = Clockwork.Event("ask") {
      Clockwork.ask("ask", id: "ask", .join).catch { _ in "lend" }
    }
    let callers = (0..<2).map { _ in
      Task.atOnce { try? await input.request(.attic(.hall(event))) }
    }
    await gate.arrival(at: "ask")
    gate.fail("ask")
    await gate.arrival(at: "lent")
    callers[0].cancel()
    #expect(await callers[0].value == nil)
    #expect(store.runningCount == 1)
    store.send(.change { $0.attic = nil })
    #expect(store.runningCount == 0)
    #expect(await callers[1].value == nil)
  }

  @Test("X3 Work whose start makes a subscriber end the child ends at once")
  func endsAtStart() {
    for overlap in [Overlap.latest, .first, .join, .queue, .concurrent] {
      let store = makeStore(gate)
      var count = 0
      let events = store.events.sink { [unowned store] event in
        guard case .runStarted = event.kind else { return }
        count += 1
        if count == 2 { store.send(.change { $0.attic = nil }) }
      }
      for _ in 0..<2 {
        let event = Clockwork.Event("work") {
          .run(id: "work", overlap: overlap) { _, gate in try await gate.pass("never") }
        }
        store.send(.attic(.hall(event)))
      }
      #expect(count == 2 && store.attic == nil)
      #expect(store.runningCount == 0, "\(overlap)")
      events.cancel()
    }
  }

  /// A name that runs code when it is compared.
  private struct Trap: Hashable, Sendable {
    let spring: Spring

    static func == (l: Trap, r: Trap) -> Bool {
      MainActor.assumeIsolated { l.spring.release() }
      return true
    }

    func hash(into hasher: inout Hasher) {}
  }

  @MainActor private final class Spring {
    var body: (() -> Void)?

    func release() { body.take()?() }
  }

  @Test("X3 Work whose name ends the child when it is compared ends at once")
  func endsInComparison() {
    let store = makeStore(gate)
    let trap = Trap(spring: Spring())
    let event = Clockwork.Event("work") {
      .run(id: trap) { _, gate in try await gate.pass("never") }
    }
    store.send(.attic(.hall(event)))
    #expect(store.runningCount == 1)
    trap.spring.body = { [unowned store] in store.send(.change { $0.attic = nil }) }
    store.send(.attic(.hall(event)))
    #expect(store.attic == nil)
    #expect(store.runningCount == 0)
  }

  // MARK: - What gives nothing back

  private func debounced(_ effect: Clockwork.Effect, _ clock: SignalClock) -> Clockwork.Event {
    Clockwork.Event("pause") { effect.debounce(for: .seconds(1), id: "pause", clock: clock) }
  }

  private static func save(_ door: String) -> Clockwork.Effect {
    .fireAndForget { gate in await gate.arrive(at: door) }
  }

  @Test("X3 A debounced fireAndForget goes on after its child has gone")
  func debouncedSave() async {
    let store = makeStore(gate)
    let clock = SignalClock()
    let both = Clockwork.Effect.merge([Self.save("left"), .sequence([Self.save("right")])])
    store.send(.attic(.hall(debounced(both, clock))))
    // This one is started by the event that ends the child.
    store.send(.last(.room(debounced(Self.save("room"), clock))))
    #expect(store.attic == nil && store.runningCount == 2)
    await clock.until { $0.sleeping == 2 }
    clock.advance(by: .seconds(1))
    for door in ["left", "right", "room"] { await gate.arrival(at: door) }
    await store.settle()
  }

  @Test("X3 A debounce that may give something back ends with its child")
  func debouncedEvent() async {
    let store = makeStore(gate)
    let clock = SignalClock()
    let effects: [Clockwork.Effect] = [
      .event("late"), .action { _ in "late" }, .task { _ in "late" }, .cancel("work"),
      .sequence([Self.save("saved"), .event("late")]),
    ]
    for effect in effects {
      store.send(.attic(.hall(debounced(effect, clock))))
      #expect(store.runningCount == 1)
      store.send(.change { $0.attic = nil })
      #expect(store.runningCount == 0)
      store.send(.change { $0.attic = ForwardFloor.State() })
    }
    #expect(store.attic?.hall.log == [])
  }
}
