import Signalbox
import SignalboxTesting
import Testing

@Suite(.opensGates, .timeLimit(.minutes(60))) @MainActor struct EffectTests {
  private let gate = StoreGate()
  private let store: ClockworkStore

  init() { store = Clockwork.store(gate) }

  private func send(_ name: String, _ effect: Clockwork.Effect) {
    store.send(Clockwork.Event(name) { effect })
  }

  /// Work that waits at a door and then sends an event of that name.
  private func run(
    _ name: String, id: String? = "work", _ overlap: Overlap = .latest
  ) -> Clockwork.Effect {
    Clockwork.run(id: id, overlap: overlap) { input, gate in
      try await gate.pass(name)
      try input.post(Clockwork.Event(name) { nil })
    }
  }

  private func pass(_ names: String...) async {
    for name in names {
      await gate.arrival(at: name)
      gate.open(name)
      await gate.departure(from: name)
    }
    await store.settle()
    // Posted events are handled first.
    try? await store.input(of: Clockwork.self).send("end")
  }

  @Test("X3 A4 work overlaps as its policy says, and X4 superseded work sends nothing")
  func overlaps() async {
    send("1", run("a"))
    send("2", run("b"))
    send("3", run("c", .first))
    send("4", run("d", .queue))
    send("5", run("e", .join))
    #expect(store.runningCount == 2)
    await gate.arrival(at: "a")
    gate.open("a")
    await gate.departure(from: "a")
    await pass("b", "d")
    #expect(store.log == ["1", "2", "3", "4", "5", "b", "d", "end"])
  }

  @Test("X3 cancel ends work of a name and no other work")
  func cancel() async {
    send("1", run("a"))
    send("2", run("b", id: "other"))
    send("3", .cancel("work"))
    send("4", .cancel("unknown"))
    #expect(!store.isRunning(id: "work") && store.isRunning(id: "other"))
    await pass("a", "b")
    #expect(store.log == ["1", "2", "3", "4", "b", "end"])
  }

  @Test("X3 a task sends one event or none, and fireAndForget sends none")
  func tasks() async {
    send(
      "1",
      .task { gate in
        try await gate.pass("a")
        return "from a"
      })
    send("2", .task { _ in nil })
    send("3", .fireAndForget { gate in try? await gate.pass("b") })
    await pass("a", "b")
    #expect(store.log == ["1", "2", "3", "from a", "end"])
  }

  @Test("X3 the events of a sequence arrive in order, each handled before the next")
  func events() async {
    let store = store
    send(
      "1",
      .events(id: "numbers") { _ in
        AsyncStream { continuation in
          for number in 1...1_000 { continuation.yield(Clockwork.Event("\(number)") { nil }) }
          continuation.finish()
        }
      })
    await store.settle()
    #expect(store.log == ["1"] + (1...1_000).map { "\($0)" })
  }

  @Test("X3 a superseded sequence sends nothing more")
  func endlessEvents() async {
    let source = AsyncStream.makeStream(of: Clockwork.Event.self)
    send("1", .events(id: "numbers") { _ in source.stream })
    source.continuation.yield("a")
    var values = store.publisher.log.values.makeAsyncIterator()
    while let log = await values.next(), log.last != "a" {}
    send("2", .cancel("numbers"))
    source.continuation.yield("b")
    await store.settle()
    #expect(store.log == ["1", "a", "2"])
  }

  @Test("X3 a sequence starts managed work without awaiting it, and settles synchronous effects")
  func sequence() async {
    send(
      "1",
      .sequence([
        run("a", id: nil), .event(Clockwork.Event("b") { .event("b1") }), run("c", id: nil),
        .action { _ in "d" },
      ]))
    #expect(store.log == ["1", "b", "b1", "d"])
    #expect(store.runningCount == 2)
    store.cancelAll()
  }

  @Test("X3 a debounced effect runs when no new request has arrived for the interval")
  func debounce() async {
    let clock = TestClock()
    let store = TestStore(state: .init(), transducer: Clockwork.self, env: gate)
    for name in ["a", "b", "c"] {
      store.send(
        Clockwork.Event(name) {
          .event(Clockwork.Event("after \(name)") { .event("and so on") })
            .debounce(for: .seconds(1), id: "save", clock: clock)
        })
      await clock.advance(by: .milliseconds(999))
    }
    #expect(store.state.log == ["a", "b", "c"])
    #expect(store.isRunning(id: "save"))
    await clock.advance(by: .milliseconds(1))
    #expect(store.state.log == ["a", "b", "c", "after c", "and so on"])
    #expect(store.runningCount == 0)
  }

  @Test("X3 a debounced effect and its wait may have one name, and the wait can be cancelled")
  func debouncedName() async {
    let clock = TestClock()
    let store = TestStore(state: .init(), transducer: Clockwork.self, env: gate)
    let work = run("a", id: "save")
    store.send(
      Clockwork.Event("1") { work.debounce(for: .seconds(1), id: "save", clock: clock) })
    let advancing = Task { await clock.advance(by: .seconds(1)) }
    await gate.arrival(at: "a")
    #expect(store.isRunning(id: "save"))
    gate.open("a")
    await advancing.value
    await store.settle()
    #expect(store.state.log == ["1", "a"])
    store.send(
      Clockwork.Event("2") { work.debounce(for: .seconds(-1), id: "save", clock: clock) })
    store.cancel(id: "save")
    await clock.run()
    #expect(store.state.log == ["1", "a", "2"])
  }

  @Test("X4 what stale work sends is dropped and reported with that work as its cause")
  func stale() async throws {
    var dropped: [String] = []
    var names: [Int: String] = [:]
    let watching = store.events.sink { event in
      switch event.kind {
      case .dispatched(let action): names[event.id] = action.name
      case .dropped(.action(let action)):
        dropped.append("\(action) of \(event.cause.flatMap { names[$0] } ?? "nobody")")
      default: break
      }
    }
    let result = StoreGate()
    send(
      "1",
      .run(id: "work") { input, gate in
        try? await gate.pass("a")
        try input.post("posted")
        await #expect(throws: CancellationError.self) { try await input.send("sent") }
        await #expect(throws: CancellationError.self) { try await input.request("requested") }
        await result.arrive(at: "done")
      })
    await gate.arrival(at: "a")
    store.cancel(id: "work")
    gate.open("a")
    await result.arrival(at: "done")
    #expect(store.log == ["1"])
    #expect(dropped == ["posted of 1", "sent of 1", "requested of 1"])
    watching.cancel()
  }

  @Test("X4 the input of work that has ended on its own keeps working")
  func ended() async throws {
    var input: Input<Clockwork.Event, String>?
    let kept = Kept<Input<Clockwork.Event, String>>()
    send("1", .run { input, _ in await kept.keep(input) })
    await store.settle()
    input = kept.value
    try await #require(input).send("later")
    #expect(store.log == ["1", "later"])
  }

  @Test("X6 an error goes to its catch, which may turn it into an event")
  func catching() async {
    let name: @Sendable (any Error) -> Clockwork.Event? = { error in
      (error as? Refusal).map { refusal in Clockwork.Event("caught \(refusal.reason)") { nil } }
    }
    send("1", run("a", id: nil).catch(name))
    send(
      "2",
      .sequence([run("b", id: nil), .merge([run("c", id: nil).catch { _ in "own" }])])
        .catch(name))
    send("3", run("d", id: nil).debounce(for: .zero, id: "later").catch { _ in "late" })
    for door in ["a", "b", "c", "d"] {
      await gate.arrival(at: door)
      gate.fail(door, Refusal(reason: door))
      await gate.departure(from: door)
    }
    await store.settle()
    #expect(store.log.prefix(3) == ["1", "2", "3"])
    #expect(Set(store.log.dropFirst(3)) == ["caught a", "caught b", "own", "late"])
  }

  @Test("X6 an unhandled error is reported with its event, and the store continues")
  func unhandled() async {
    var reports: [String] = []
    let watching = store.events.sink {
      if case .unhandled(let error, let action) = $0.kind {
        reports.append("\(action as Any) \(error)")
      }
    }
    send("1", run("a"))
    await gate.arrival(at: "a")
    gate.fail("a")
    await store.settle()
    #expect(reports.count == 1 && reports[0].contains("1"))
    send("2", run("b"))
    send("3", .cancel("work"))
    await gate.arrival(at: "b")
    gate.fail("b")
    await gate.departure(from: "b")
    store.send("4")
    #expect(store.log == ["1", "2", "3", "4"])
    #expect(reports.count == 1)
    watching.cancel()
  }

  @Test("X6 a retry of the same effect in catch is not blocked by the failed attempt")
  func retry() async {
    let again = run("b", .first)
    let caught = Clockwork.Event("again") { again }
    send("1", run("a").catch { _ in caught })
    await gate.arrival(at: "a")
    gate.fail("a")
    await gate.arrival(at: "b")
    gate.open("b")
    await gate.departure(from: "b")
    await store.settle()
    try? await store.input(of: Clockwork.self).send("end")
    #expect(store.log == ["1", "again", "b", "end"])
  }
}

@MainActor private final class Kept<Value: Sendable> {
  private(set) var value: Value?
  nonisolated init() {}
  func keep(_ value: Value) { self.value = value }
}
