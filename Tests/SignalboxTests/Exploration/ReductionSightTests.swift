import Signalbox
import SignalboxTesting
import Testing

/// Tests that a reduced exploration sees everything that steps can have in common.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ReductionSightTests {
  /// What an exploration finds without and with a reduction: its outcomes, and whether it fails.
  private func bothWays(
    _ scenario: @escaping @MainActor (Exploration) async throws -> Void
  ) async -> [(outcomes: Set<String>, fails: Bool)] {
    var found: [(outcomes: Set<String>, fails: Bool)] = []
    for reduction in [Reduction.none, .equivalentOrders] {
      var report: ExplorationReport?
      let texts = await kitFailures { report = await explore(reduction: reduction, scenario) }
      found.append((Set(report?.outcomes.map(\.description) ?? []), !texts.isEmpty))
    }
    return found
  }

  private func expectSame(
    fails: Bool = false, outcomes: Int? = nil, _ location: SourceLocation = #_sourceLocation,
    _ scenario: @escaping @MainActor (Exploration) async throws -> Void
  ) async {
    let found = await bothWays(scenario)
    #expect(found[0].fails == fails, sourceLocation: location)
    #expect(found[1].fails == fails, sourceLocation: location)
    #expect(found[0].outcomes == found[1].outcomes || fails, sourceLocation: location)
    if let outcomes { #expect(found[0].outcomes.count == outcomes, sourceLocation: location) }
  }

  /// A store whose actions 0 and 1 each wait for an answer first.
  private func answering(
    _ world: Exploration, exhaustive: Bool = false, heedsCancellation: Bool = true,
    _ handle: @escaping @MainActor (Int, SumsHandle) async throws -> Void
  ) -> TestStore<Sums, Int> {
    let ask = world.endpoint("ask", heedsCancellation: heedsCancellation) { (number: Int) in number
    }
    return TestStore(
      state: Sums(),
      actionable: Handling<Sums, Int> { number, store in
        if number < 2 { _ = try await ask(number) }
        try await handle(number, store)
      }, exhaustive: exhaustive)
  }

  @Test("I6 a condition that reads more in some orders than in others is checked in all of them")
  func shortCircuit() async {
    await expectSame(fails: true) { world in
      let store = answering(world) { number, store in
        if number == 0 { store.a = 1 } else { store.b = 1 }
      }
      world.always("open only when paid") { store.b == 0 || store.a == 1 }
      for number in 0..<2 { store.send(number) }
      await world.run()
    }
  }

  @Test("I6 a condition may read names of work, the clock, handles and the history")
  func conditionsOfOtherThings() async {
    await expectSame(fails: true) { world in
      let store = answering(world) { number, store in
        if number == 0 {
          store.a = 1
        } else {
          store.run(id: "r") { _ in try await world.clock.sleep(for: .seconds(1)) }
        }
      }
      world.always("r only after a") {
        let isRunning = store.isRunning(id: "r")
        return store.a == 1 || !isRunning
      }
      world.may("cancel") { store.cancel(id: "r") }
      for number in 0..<2 { store.send(number) }
      await world.run()
      store.cancel(id: "r")
    }
    await expectSame(fails: true) { world in
      let store = answering(world) { number, store in if number == 0 { store.a = 1 } }
      var handle: ActionTask?
      world.always("the second ends after a") {
        let a = store.a
        return handle?.isFinished != true || a == 1
      }
      store.send(0)
      handle = store.send(1)
      await world.run()
    }
    await expectSame(fails: true) { world in
      let store = answering(world) { number, store in
        if number == 0 { store.a = 1 } else { store.b = 1 }
      }
      for number in 0..<2 { store.send(number) }
      world.finally("a was first") { store.stateUpdates.first?.a == 1 }
      await world.run()
    }
  }

  @Test("I6 values that are posted belong to the step that posts them")
  func posts() async {
    await expectSame(outcomes: 2) { world in
      let emitter = Emitter<Int>()
      let ask = world.endpoint("ask") { (number: Int) in number }
      let hooking = HookingSums(hook: { store in
        emitter.sink { number in
          store.run { store in
            try await world.clock.sleep(for: .seconds(1))
            store.log.append(number)
          }
        }
      }) { number, store in
        _ = try await ask(number)
        emitter.post(number)
      }
      let store = TestStore(state: Sums(), interactor: hooking)
      for number in 0..<2 { store.send(number) }
      await world.run()
    }
  }

  @Test("I6 the store of cancelled work reads and writes a copy, in other code as well")
  func copies() async {
    await expectSame { world in
      let emitter = Emitter<Int>()
      let kept = Subscriptions()
      let store = answering(world) { number, store in
        if number == 1 { emitter.send(1) }
        if number == 2 { kept.last = emitter.sink { store.a = $0 } }
        if number == 2 { try await world.clock.sleep(for: .seconds(1)) }
      }
      let handle = store.send(2)
      store.send(1)
      world.may("cancel") { handle.cancel() }
      await world.run()
    }
    await expectSame { world in
      let log = Answers()
      let store = answering(world, heedsCancellation: false) { number, store in
        if number == 0 { store.a = 1 } else if !store.isCurrent { log.add(store.a + 10) }
      }
      store.send(0)
      let handle = store.send(1)
      world.may("cancel") { handle.cancel() }
      await world.run()
      world.outcome(log.all)
    }
  }

  @Test("I6 a custom source that sends and one that ends run in both orders")
  func customSources() async {
    await expectSame(outcomes: 2) { world in
      var subscriber: Subscriber<Int>?
      let source = Signal<Int> { new in
        subscriber = new
        return .empty
      }
      let store = answering(world) { number, _ in
        if number == 0 { subscriber?.receive(1) } else { subscriber?.finish() }
      }
      let subscription = source.sink { store.log.append($0) }
      for number in 0..<2 { store.send(number) }
      await world.run()
      world.outcome(store.log)
      subscription.cancel()
    }
  }

  @Test("I6 what an exhaustive store asserts in order runs in all orders")
  func exhaustive() async {
    await expectSame(fails: true) { world in
      let store = answering(world, exhaustive: true) { number, store in
        switch number {
        case 0: store.a = 1
        case 1: store.send(7)
        default: store.b = 1
        }
      }
      for number in 0..<2 { store.send(number) }
      await world.run()
      await store.receive(7) {
        $0.a = 1
        $0.b = 1
      }
      await store.finish()
    }
  }

  @Test("I6 the limit counts orders that turn out superfluous")
  func limit() async {
    var runs = 0
    let report = await explore(limit: 10, reduction: .equivalentOrders) { world in
      runs += 1
      let ask = world.endpoint("ask") { (number: Int) in number }
      let stores = (0..<7).map { _ in
        TestStore(
          state: Sums(),
          actionable: Handling<Sums, Int> { number, store in store.a = try await ask(number) })
      }
      for store in stores { store.send(1) }
      await world.run()
    }
    // The first order runs twice.
    #expect(runs == 11)
    #expect(!report.isExhaustive)
    #expect(report.description.hasPrefix("passes in 1 order, and more may be left."))
  }

  @Test("I6 a value that an operator has held back reaches its hook like any other")
  func heldValues() async {
    func holding(
      _ hold: @escaping @MainActor (Emitter<Int>, TestClock) -> Signal<Int>, values: [Int]
    ) async {
      await expectSame(outcomes: 2) { world in
        let (held, plain) = (Emitter<Int>(), Emitter<Int>())
        let ask = world.endpoint("ask") { (number: Int) in number }
        let hooking = HookingSums(
          hook: { store in
            hold(held, world.clock).merge(with: plain)
              .scan([Int]()) { $0 + [$1] }
              .filter { $0.count == values.count + 1 }
              .sink { store.log = $0 }
          },
          handle: { number, _ in plain.send(try await ask(number)) })
        let store = TestStore(state: Sums(), interactor: hooking)
        for value in values { held.send(value) }
        store.send(0)
        await world.run()
        world.outcome(store.log)
      }
    }
    await holding({ $0.debounce(for: .seconds(1), clock: $1) }, values: [7])
    await holding({ $0.throttle(for: .seconds(1), clock: $1) }, values: [7, 8])
  }

  /// Action 0 types into the editor if there is one, and action 1 opens it.
  private struct Opening: Interactor {
    let ask: @MainActor (Int) async throws -> Int

    func children(of store: MutatingStore<StationState, Int>) -> Children<StationState> {
      Child(\.editor) { StationEditor() }
      Each(\.rows) { _ in StationRow() }
    }

    func onAction(_ action: Int, store: MutatingStore<StationState, Int>) async throws {
      _ = try await ask(action)
      if action == 0 {
        store.child(\.editor, StationEditor.self)?.send(.type("typed"))
      } else {
        store.editor = StationEditorState()
      }
    }
  }

  @Test("I6 C4 asking for a child reads whether its state is there")
  func askingForChild() async {
    await expectSame(outcomes: 2) { world in
      let ask = world.endpoint("ask") { (number: Int) in number }
      let store = TestStore(state: StationState(), interactor: Opening { try await ask($0) })
      for number in 0..<2 { store.send(number) }
      await world.run()
      world.outcome(store.editor?.text)
    }
  }
}
