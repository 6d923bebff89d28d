import Signalbox
import SignalboxTesting
import Testing

@Suite(.opensGates, .timeLimit(.minutes(60))) @MainActor struct TransducerTests {
  private let gate = StoreGate()

  @Test("X1 only update changes the state, and its changes are visible on the next line")
  func update() {
    let store = Clockwork.store()
    store.dispatch("a")
    #expect(store.log == ["a"])
    let task = store.send("b")
    #expect(store.log == ["a", "b"])
    #expect(task.isFinished && !task.isCancelled)
    #expect(store.runningCount == 0)
  }

  @Test("X1 writing through a binder traps with a message that names the alternative")
  func binder() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @MainActor in
      let store = Clockwork.store()
      withExtendedLifetime(store) { store.binder.log.wrappedValue = [] }
    }
    expectError("binding(get:action:)", from: result)
  }

  @Test("X1 M6 a binding turns writes into events")
  func binding() {
    let store = Clockwork.store()
    let binding = store.binder.binding(get: \.log.count) { number in
      Clockwork.Event("wrote \(number)") { nil }
    }
    binding.wrappedValue = 7
    #expect(binding.wrappedValue == 1)
    #expect(store.log == ["wrote 7"])
    #expect(store.binder.log.wrappedValue == ["wrote 7"])
  }

  @Test("X1 X5 events of an input are handled by the next line, after what was posted before")
  func dispatch() throws {
    var store: ClockworkStore? = Clockwork.store()
    let input = try #require(store).input(of: Clockwork.self)
    try input.post("a")
    input.dispatch("b")
    #expect(store?.log == ["a", "b"])
    store = nil
    input.dispatch("c")
  }

  @Test("X1 a store with an external state owner reads it at the start and writes it back first")
  func owner() {
    var kept = Clockwork.State()
    var written: [[String]] = []
    let owner = StateOwner<Clockwork.State>(
      read: { kept },
      write: {
        kept = $0
        written.append($0.log)
      })
    let store = Store(stateOf: owner, transducer: Clockwork.self, env: gate)
    let sink = store.publisher.log.sink { [weak store] log in
      #expect(written.last == log)
      if log.last == "b" { store?.dispatch("from a sink") }
    }
    store.dispatch(Clockwork.Event("a") { .event("b") })
    #expect(written == [["a"], ["a", "b"], ["a", "b", "from a sink"]])
    kept.log = ["theirs"]
    store.dispatch("c")
    #expect(kept.log == ["theirs", "c"])
    #expect(store.log == ["theirs", "c"])
    sink.cancel()
  }

  @Test("X1 requesting the input of another transducer traps with a message")
  func otherInput() async {
    enum Other: Transducer {
      typealias State = Clockwork.State
      typealias Event = Clockwork.Event
      static func update(_ state: inout Clockwork.State, event: Clockwork.Event) -> Effect? { nil }
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @MainActor in
      _ = Clockwork.store().input(of: Other.self)
    }
    expectError("Ask for the input of the transducer that it was made with", from: result)
  }

  @Test("X2 follow-up events are handled in the same dispatch, in order", arguments: [false, true])
  func followUps(isWatched: Bool) {
    let store = Clockwork.store()
    let watching = isWatched ? store.events.sink { _ in } : .empty
    defer { watching.cancel() }
    store.dispatch(
      Clockwork.Event("a") {
        .sequence([
          .event(Clockwork.Event("b") { .event("b1") }),
          .action { _ in Clockwork.Event("c") { .action { _ in "c1" } } },
          .merge([
            .event(Clockwork.Event("d") { .event(Clockwork.Event("d1") { .event("d2") }) }),
            .sequence([.event("e"), .event("f")]),
            .event(Clockwork.Event("g") { .event("g1") }),
          ]),
          .event("h"), .sequence([]), .merge([]), .action { _ in nil },
        ])
      })
    #expect(
      store.log == [
        "a", "b", "b1", "c", "c1", "d", "e", "f", "g", "d1", "g1", "d2", "h",
      ])
    #expect(store.runningCount == 0)
  }

  @Test("X2 a chain of 30,000 events takes constant stack", arguments: [false, true])
  func longChain(isWatched: Bool) {
    let store = Store(state: 0, transducer: Countdown.self)
    var finished = 0
    let watching =
      isWatched
      ? store.events.sink { if case .finished = $0.kind { finished += 1 } } : Subscription.empty
    store.dispatch(.count(30_000))
    #expect(store.state == 30_000)
    #expect(store.runningCount == 0)
    watching.cancel()
    #expect(finished == (isWatched ? 30_001 : 0))
  }

  @Test("X2 an event from a sink is handled at once, before the rest of the chain")
  func reentrant() {
    let store = Clockwork.store()
    let sink = store.publisher.log.sink { [weak store] log in
      if log.last == "b" { store?.dispatch("from a sink") }
    }
    store.dispatch(Clockwork.Event("a") { .sequence([.event("b"), .event("c")]) })
    #expect(store.log == ["a", "b", "from a sink", "c"])
    sink.cancel()
  }

  enum Watch: CaseIterable { case nobody, listener, testStore }

  @Test(
    "X2 A7 H4 cancelling all during a dispatch ends the work and not the dispatch",
    arguments: Watch.allCases)
  func cancelAllWithin(watch: Watch) async {
    let test = TestStore(state: .init(), transducer: Clockwork.self, env: gate)
    let plain = Clockwork.store(gate)
    let watching = watch == .listener ? plain.events.sink { _ in } : .empty
    let isTest = watch == .testStore
    func send(_ event: Clockwork.Event) {
      if isTest { test.send(event) } else { plain.send(event) }
    }
    var counts: [Int] = []
    let log = isTest ? test.publisher.log : plain.publisher.log
    let sink = log.sink { [test, plain] log in
      counts.append(isTest ? test.runningCount : plain.runningCount)
      if log.last == "b" { if isTest { test.cancelAll() } else { plain.cancelAll() } }
    }
    let work = Clockwork.Effect.run(id: "old") { _, gate in try await gate.pass("x") }
    let next = Clockwork.Effect.run(id: "new") { _, gate in try await gate.pass("y") }
    send(Clockwork.Event("a") { .sequence([work, .event("b"), .event("c"), next]) })
    #expect(isTest ? test.state.log == ["a", "b", "c"] : plain.log == ["a", "b", "c"])
    #expect(counts == [0, 1, 0])
    #expect(isTest ? test.isRunning(id: "new") : plain.isRunning(id: "new"))
    sink.cancel()
    watching.cancel()
    test.cancelAll()
  }

  @Test("A2 H4 an event has ended when it was dispatched, and settled when its work has ended")
  func settled() async {
    let store = Clockwork.store(gate)
    let task = store.send(
      Clockwork.Event("go") {
        .run(id: "work") { input, gate in
          try await gate.pass("x")
          try await input.send(
            Clockwork.Event("second") { .run { _, gate in try await gate.pass("y") } })
        }
      })
    #expect(task.isFinished)
    await gate.arrival(at: "x")
    #expect(store.isRunning(id: "work") && store.runningCount == 1)
    var isSettled = false
    let settling = Task.atOnce {
      await task.settled
      isSettled = true
    }
    gate.open("x")
    await gate.arrival(at: "y")
    #expect(!isSettled)
    gate.open("y")
    await settling.value
    #expect(store.runningCount == 0)
    #expect(store.log == ["go", "second"])
  }

  @Test("H4 the events of a transducer form a tree across suspensions")
  func causes() async {
    let store = Clockwork.store(gate)
    var lines: [String] = []
    var names: [Int: String] = [:]
    let watching = store.events.sink { event in
      let name: String? =
        switch event.kind {
        case .dispatched(let event): "\(event)"
        case .stateChanged(_, let state): "log \(state.log.count)"
        case .runStarted(let id): "run \(id.map { "\($0)" } ?? "")"
        default: nil
        }
      guard let name else { return }
      names[event.id] = name
      lines.append(name + (event.cause.flatMap { names[$0] }.map { " ← \($0)" } ?? ""))
    }
    store.send(
      Clockwork.Event("a") {
        .sequence([
          .event("b"),
          .run(id: "r") { input, gate in
            try await gate.pass("x")
            try input.post("c")
          },
        ])
      })
    gate.open("x")
    await gate.arrival(at: "x")
    gate.open("x")
    await store.settle()
    await gate.departure(from: "x")
    try? await store.input(of: Clockwork.self).send("d")
    #expect(
      lines == [
        "a", "log 1 ← a", "b ← a", "log 2 ← b", "run r ← a", "c ← a", "log 3 ← c", "d", "log 4 ← d",
      ])
    watching.cancel()
  }

  @Test("X1 S14 an event that a store dispatches is handled after what was posted before")
  func dispatchAfterPosts() throws {
    let store = Clockwork.store()
    try store.input(of: Clockwork.self).post("a")
    store.dispatch("b")
    #expect(store.log == ["a", "b"])
  }

  @Test("X1 a store takes over what its state's owner makes of a written state")
  func ownerCorrects() {
    var kept = Clockwork.State()
    let owner = StateOwner<Clockwork.State>(
      read: { kept },
      write: {
        kept = $0
        kept.log.append("kept")
      })
    let store = ClockworkStore(stateOf: owner, transducer: Clockwork.self, env: gate)
    store.dispatch("a")
    #expect(store.log == ["a", "kept"])
  }
}

/// Counts down with one event for each step.
private enum Countdown: Transducer {
  typealias State = Int
  enum Event { case count(Int) }

  static func update(_ state: inout Int, event: Event) -> Effect? {
    guard case .count(let rest) = event, rest > 0 else { return nil }
    state += 1
    return .event(.count(rest - 1))
  }
}
