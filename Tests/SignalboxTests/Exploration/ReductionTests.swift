import Signalbox
import SignalboxTesting
import Testing

/// Tests that a reduced exploration leaves out exactly the orders that cannot differ.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ReductionTests {
  private func orders(
    of count: Int = 2, hook: (@MainActor (SumsHandle) -> Subscription)? = nil,
    prepare: @escaping @MainActor (Exploration, TestStore<Sums, Int>) -> Void = { _, _ in },
    _ handle: @escaping @MainActor (Int, Int, SumsHandle) async throws -> Void
  ) async -> Int {
    let report = await explore(reduction: .equivalentOrders) { world in
      let ask = world.endpoint("ask") { (number: Int) in number }
      let interactor = HookingSums(hook: hook) { number, store in
        try await handle(number, ask(number), store)
      }
      let store = TestStore(state: Sums(), interactor: interactor)
      prepare(world, store)
      for number in 0..<count { store.send(number) }
      await world.run()
    }
    return report.orders
  }

  @Test("I6 answers that touch different properties run in one order")
  func differentProperties() async {
    let count = await orders { number, answer, store in
      if number == 0 { store.a = answer } else { store.b = answer }
    }
    #expect(count == 1)
  }

  @Test("I6 answers that write the same property run in both orders")
  func sameProperty() async {
    #expect(await orders { _, answer, store in store.a = answer } == 2)
    #expect(await orders { _, answer, store in store.log.append(answer) } == 2)
    #expect(await orders { _, answer, store in store.update { $0.a = answer } } == 2)
  }

  @Test("I6 an answer that reads what another one writes runs in both orders")
  func readAndWrite() async {
    let count = await orders { number, _, store in
      if number == 0 { store.a = 1 } else { store.b = store.a }
    }
    #expect(count == 2)
    let whole = await orders { number, _, store in
      if number == 0 { store.a = 1 } else { store.b = store.state.a }
    }
    #expect(whole == 2)
  }

  @Test("I6 of four answers in two independent pairs, each pair runs in both orders")
  func pairs() async {
    let count = await orders(of: 4) { number, answer, store in
      if number < 2 { store.a = answer } else { store.b = answer }
    }
    #expect(count == 4)
  }

  @Test("I6 answers of two stores are independent")
  func twoStores() async {
    let report = await explore(reduction: .equivalentOrders) { world in
      let ask = world.endpoint("ask") { (number: Int) in number }
      let stores = (0..<2).map { _ in
        TestStore(
          state: Sums(),
          actionable: Handling<Sums, Int> { number, store in
            store.log.append(try await ask(number))
          })
      }
      for store in stores { for number in 0..<2 { store.send(number) } }
      await world.run()
    }
    #expect(report.orders == 4)
    #expect(report.outcomes.count == 4)
  }

  @Test("I6 answers that dispatch work of one name run in both orders")
  func names() async {
    func count(_ ids: [String]) async -> Int {
      let report = await explore(reduction: .equivalentOrders) { world in
        let ask = world.endpoint("ask") { (text: String) in text }
        let store = DeskTest(
          state: Desk(),
          actionable: Handling { job, store in
            _ = try await ask(job.text)
            store.run(id: ids[job.text == "a" ? 0 : 1], overlap: .latest) { store in
              _ = try await ask("never")
            }
          })
        store.send(Job("a"))
        store.send(Job("b"))
        world.may("cancel") { store.cancelAll() }
        await world.run()
      }
      return report.orders
    }
    let (same, different) = (await count(["x", "x"]), await count(["x", "y"]))
    #expect(same > different)
  }

  @Test("I6 answers that reach one hook run in both orders, even if its operators hold values back")
  func hooks() async {
    let hook = { @MainActor (store: SumsHandle) in
      store.publisher.a.merge(with: store.publisher.b).scan(0, +).filter { $0 > 10 }
        .sink { store.log.append($0) }
    }
    let count = await orders(hook: hook) { number, _, store in
      if number == 0 { store.a = 4 } else { store.b = 7 }
    }
    #expect(count == 2)
  }

  @Test("I6 answers that reach one subscriber of two emitters run in both orders")
  func subscribers() async {
    let emitters = [Emitter<Int>(), Emitter<Int>()]
    let subscriptions = Subscriptions()
    let count = await orders(
      prepare: { _, store in
        subscriptions.last = emitters[0].merge(with: emitters[1]).scan(0, +).filter { $0 > 10 }
          .sink { store.log.append($0) }
      },
      { number, _, store in emitters[number].send(number == 0 ? 4 : 7) })
    #expect(count == 2)
  }

  @Test("I6 a condition that must always hold sees every order of what it reads")
  func conditions() async {
    func explored(_ reduction: Reduction) async -> (ExplorationReport?, [String]) {
      var report: ExplorationReport?
      let texts = await kitFailures {
        report = await explore(reduction: reduction) { world in
          let ask = world.endpoint("ask") { (number: Int) in number }
          let store = TestStore(
            state: Sums(),
            actionable: Handling<Sums, Int> { number, store in
              _ = try await ask(number)
              if number == 0 { store.a = 1 } else { store.b = 1 }
            })
          world.always("a comes first") { store.a >= store.b }
          store.send(0)
          store.send(1)
          await world.run()
        }
      }
      return (report, texts.map(\.text))
    }
    let (all, reduced) = (await explored(.none), await explored(.equivalentOrders))
    #expect(all.0?.failure?.replay == "b")
    #expect(reduced.0?.failure?.replay == "b")
    #expect(reduced.1.count == 1)
  }

  @Test("I6 two timers of one moment, and an answer that sleeps, run in all orders")
  func timers() async {
    let report = await explore(reduction: .equivalentOrders) { world in
      let ask = world.endpoint("ask") { (number: Int) in number }
      let store = TestStore(
        state: Sums(),
        actionable: Handling<Sums, Int> { number, store in
          if number == 0 { _ = try await ask(0) }
          try await world.clock.sleep(for: .seconds(1))
          store.log.append(number)
        })
      for number in 0..<3 { store.send(number) }
      await world.run()
    }
    let all = Set(report.outcomes.map(\.description))
    #expect(all.count == 6)
  }

  private func outcomes(
    _ handle:
      @escaping @MainActor (Int, TestEndpoint<Int, Int>, TestClock, SumsHandle) async throws
      -> Void
  ) async -> [String] {
    let report = await explore(reduction: .equivalentOrders) { world in
      let ask = world.endpoint("ask") { (number: Int) in number }
      let store = TestStore(
        state: Sums(),
        actionable: Handling<Sums, Int> { try await handle($0, ask, world.clock, $1) })
      for number in 0..<2 { store.send(number) }
      await world.run()
      world.outcome("\(store.state), \(store.triggeredActions)")
    }
    return report.outcomes.map(\.description).sorted()
  }

  @Test("I6 an answer that reads the clock comes before and after a timer")
  func clock() async {
    let found = await outcomes { number, ask, clock, store in
      if number == 1 { return try await clock.sleep(for: .seconds(1)) }
      _ = try await ask(0)
      store.a = clock.now.offset == .zero ? 1 : 2
    }
    #expect(found.count == 2)
  }

  @Test("I6 answers that dispatch run in both orders, because a test can see the order")
  func dispatches() async {
    let found = await outcomes { number, ask, _, store in
      guard number < 2 else { return }
      _ = try await ask(number)
      store.send(number + 10)
    }
    #expect(found.count == 2)
  }

  @Test("I6 an answer that looks at the pending calls comes before and after another one")
  func pendingCalls() async {
    let found = await outcomes { number, ask, _, store in
      _ = try await ask(number)
      if number == 0 { store.a = ask.pending.count }
    }
    #expect(found.count == 2)
  }

  @Test("I6 answers that lead to calls of one endpoint run in both orders")
  func arrivals() async {
    func count(_ isShared: Bool) async -> Int {
      let report = await explore(reduction: .equivalentOrders) { world in
        let ask = world.endpoint("ask") { (number: Int) in number }
        let more = (0..<2).map { world.endpoint("more\($0)") { (number: Int) in number } }
        let store = TestStore(
          state: Sums(),
          actionable: Handling<Sums, Int> { number, _ in
            _ = try await ask(number)
            _ = try await more[isShared ? 0 : number](number)
          })
        for number in 0..<2 { store.send(number) }
        await world.run()
      }
      return report.orders
    }
    let (shared, separate) = (await count(true), await count(false))
    #expect(separate == 1)
    #expect(shared > 1)
  }

  @Test("I6 without a reduction, nothing is left out")
  func none() async {
    let report = await explore { world in
      let ask = world.endpoint("ask") { (number: Int) in number }
      let store = TestStore(
        state: Sums(),
        actionable: Handling<Sums, Int> { number, store in
          let answer = try await ask(number)
          if number == 0 { store.a = answer } else { store.b = answer }
        })
      for number in 0..<2 { store.send(number) }
      await world.run()
    }
    #expect(report.orders == 2)
  }

  @Test("I6 the answers to two calls of one piece of work run in both orders")
  func oneAction() async {
    let report = await explore(reduction: .equivalentOrders) { world in
      let ask = world.endpoint("ask") { (number: Int) in number }
      let store = TestStore(
        state: Sums(),
        actionable: Handling<Sums, Int> { _, store in
          let answers = Answers()
          async let first: Void = answers.add(ask(0))
          async let second: Void = answers.add(ask(1))
          _ = try await (first, second)
          store.log = answers.all
        })
      store.send(0)
      await world.run()
    }
    #expect(Set(report.outcomes.map(\.description)).count == 2)
  }
}
