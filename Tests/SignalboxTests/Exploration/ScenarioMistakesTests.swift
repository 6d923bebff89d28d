import Foundation
import Signalbox
import SignalboxTesting
import Testing

/// Tests that a scenario that an exploration cannot run is a failure that says why.
@Suite(.opensGates, .timeLimit(.minutes(60))) @MainActor struct ScenarioMistakesTests {
  @Test("I1 work that waits at an endpoint of another kind is a failure that names both")
  func foreignEndpoint() async {
    let result = await explored { world in
      let foreign = TestEndpoint<String, String>("foreign")
      let store = makeDeskTest { job, store in store.title = try await foreign(job.text) }
      store.send("a")
      await world.run()
    }
    #expect(result.texts.only.contains("a waits at foreign, which is not an endpoint of the"))
  }

  @Test("I5 a condition that is declared after the last run is a failure")
  func lateCondition() async {
    let result = await explored { world in
      _ = makeDeskTest { _, _ in }
      await world.run()
      world.finally("late") { false }
    }
    #expect(
      result.texts.only.contains(
        "finally \"late\" was declared after the last run(), so it was not")
    )
  }

  @Test("I1 a store that was made outside of the scenario is a failure")
  func outsideStore() async {
    let outside = makeDeskTest { _, store in store.count += 1 }
    let result = await explored { world in
      world.may("press") { outside.send("a") }
      await world.run()
    }
    #expect(result.texts.only.contains("a test store that was made outside of it"))
  }

  @Test("I1 I5 a mistake is named before the condition that does not hold because of it")
  func mistakeFirst() async {
    let store = makeDeskTest { _, store in store.count += 1 }
    let outsideStore = await explored { world in
      world.finally("nothing was counted") { store.count == 0 }
      world.may("press") { store.send("a") }
      await world.run()
    }
    let endpoint = TestEndpoint<String, String>("foreign")
    let outsideEndpoint = await explored { world in
      let store = makeDeskTest { job, store in store.title = try await endpoint(job.text) }
      world.always("the title is the last") { store.title == store.triggeredActions.last?.text }
      store.send("a")
      await world.run()
    }
    let clock = TestClock()
    let outsideClock = await explored { world in
      let store = makeDeskTest { job, store in
        try await clock.sleep(for: .seconds(1))
        store.title = job.text
      }
      world.always("the title is the last") { store.title == store.triggeredActions.last?.text }
      world.finally("the title is shown") { store.title == "a" }
      store.send("a")
      await world.run()
    }
    for (result, mistake, condition) in [
      (outsideStore, "that was made outside of it", "nothing was counted"),
      (outsideEndpoint, "a waits at foreign, which is not an endpoint", "the title is the last"),
      (outsideClock, "a waits for a clock that is not the exploration's", nil),
    ] {
      let text = result.texts.first ?? ""
      let named = text.range(of: mistake)
      #expect(result.texts.count == 1 && named != nil, "\(text)")
      guard let condition, let named else { continue }
      #expect(text.range(of: condition).map { named.upperBound < $0.lowerBound } == true, "\(text)")
    }
  }

  private final class Model: Equatable {
    var numbers: [String] = []
    static func == (a: Model, b: Model) -> Bool { a.numbers == b.numbers }
  }

  private struct Shelf: Equatable {
    var model = Model()
  }

  @Test("I1 work that never ends is a failure after a thousand steps")
  func endless() async {
    let result = await explored { world in
      let store = makeDeskTest { [clock = world.clock] _, store in
        while !Task.isCancelled {
          try await clock.sleep(for: .seconds(1))
          store.count += 1
        }
      }
      store.send("poll")
      await world.run()
    }
    let text = result.texts.only
    #expect(text.contains("After 1000 steps, something is still left to happen: poll wakes"))
    // The cause may be among the first.
    #expect(text.contains("   1  poll wakes at 1.0 seconds"))
    #expect(text.contains("count: 19 → 20\n  … 960 steps\n   981  poll wakes at 981.0 seconds"))
    #expect(text.contains("replay: too long to show here."))
  }

  @Test("I1 a clock that is not the exploration's is a failure that names the work")
  func otherClock() async {
    for clock: any Clock<Duration> in [TestClock(), ContinuousClock()] {
      let sleeping = await explored { world in
        let store = makeDeskTest { _, _ in try await clock.sleep(for: .seconds(36_000)) }
        store.send("sleep")
        await world.run()
      }
      #expect(sleeping.texts.only.contains("\nsleep waits for "))
      let holding = await explored { world in
        let store = DeskTest(
          state: Desk(),
          interactor: Hooking<Desk, Job, OneHook>(
            connect: { _, store in
              store.publisher.title.debounce(for: .seconds(36_000), clock: clock).sink { _ in }
            }))
        store.title = "x"
        await world.run()
      }
      #expect(holding.texts.only.contains("waits for a clock that is not the exploration's."))
    }
  }

  @Test("T6 a test that is cancelled ends its exploration without a failure")
  func cancelled() async {
    var runs = 0
    let found = await kitFailures {
      let task = Task.atOnce {
        await explore { world in
          runs += 1
          if runs == 3 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
          let load = world.endpoint("load") { (text: String) in text }
          let store = makeDeskTest { job, store in store.title = try await load(job.text) }
          for text in ["a", "b", "c"] { store.send(Job(text)) }
          world.finally("never") { false }
          await world.run()
        }
      }
      #expect(await task.value.failure == nil)
    }
    #expect(found.isEmpty)
    #expect(runs == 3)
  }

  @Test("I2 a scenario that differs from run to run is a failure that says where")
  func random() async {
    var runs = 0
    let result = await explored { world in
      runs += 1
      let load = world.endpoint("load") { (text: String) in text }
      let store = makeDeskTest { [runs] job, store in
        store.title = try await load(job.text)
        if runs > 1 { store.count = runs }
      }
      store.send("a")
      await world.run()
    }
    #expect(
      result.texts.only.contains(
        "the same choices have led to two different runs: the results differ"))
    var calls = 0
    let calling = await explored { world in
      calls += 1
      let load = world.endpoint("load") { (text: String) in text }
      let store = makeDeskTest { job, store in store.title = try await load(job.text) }
      for number in 0..<(calls > 2 ? 3 : 2) { store.send(Job("\(number)")) }
      await world.run()
    }
    #expect(
      calling.texts.only.contains(
        "After 0 steps, the same choices have led to two different runs: once a, b could follow, and "
          + "once a, b, c."))
  }

  @Test("I2 a scenario whose states differ in between is a failure, although its results are equal")
  func randomInBetween() async {
    var runs = 0
    let result = await explored { world in
      runs += 1
      let load = world.endpoint("load") { (text: String) in text }
      let store = makeDeskTest { [runs] job, store in
        _ = try await load(job.text)
        store.count = job == "a" ? runs : 0
      }
      for text in ["a", "b", "c"] { store.send(Job(text)) }
      await world.run()
    }
    #expect(
      result.texts.only.contains(
        "two different runs: the states or the events of the stores differ"))
  }

  @Test("I1 I8 work that waits for something outside is a failure that names it")
  func outside() async {
    let gate = StoreGate()
    let result = await explored { world in
      let store = makeDeskTest { _, _ in try await gate.pass("never") }
      store.send("go")
      await world.run()
    }
    #expect(
      result.texts.only.contains("go waits for something outside of the exploration"))
  }

  @Test("I2 a state that holds an object can be explored")
  func objects() async {
    let report = await explore { world in
      let lookup = world.endpoint("lookup") { (text: String) in text }
      let store = TestStore(
        state: Shelf(),
        actionable: Handling<Shelf, Job> { job, store in
          store.model.numbers.append(try await lookup(job.text))
        })
      for text in ["a", "b", "c"] { store.send(Job(text)) }
      await world.run()
      world.outcome(store.model.numbers)
    }
    #expect(report.orders == 6)
    #expect(report.outcomes.count == 6)
  }

  private final class Session: Equatable, Sendable {
    static func == (a: Session, b: Session) -> Bool { a === b }
  }

  private struct Account: Equatable {
    var session: Session?
    var count = 0
  }

  @Test(
    "I2 a state with an object that equals only itself can be explored", arguments: [false, true])
  func identity(isThereFromTheStart: Bool) async {
    let report = await explore { world in
      let login = world.endpoint("login") { (_: String) in Session() }
      let store = TestStore(
        state: Account(session: isThereFromTheStart ? Session() : nil),
        actionable: Handling<Account, Job> { job, store in
          let session = try await login(job.text)
          if !isThereFromTheStart { store.session = session }
          store.count += 1
        })
      world.finally("logged in") { store.session != nil && store.count == 2 }
      for text in ["a", "b"] { store.send(Job(text)) }
      await world.run()
    }
    #expect(report.orders == 2)
    #expect(report.failure == nil)
  }

  @Test("I2 an outcome that does not equal itself is the same in each run")
  func notANumber() async {
    let report = await explore { world in
      let lookup = world.endpoint("lookup") { (text: String) in text }
      let store = makeDeskTest { job, _ in _ = try await lookup(job.text) }
      store.send("a")
      await world.run()
      world.outcome(Double.nan)
    }
    #expect(report.failure == nil)
  }

  @Test(
    "I1 a call that waits before run() fails at once, and says why",
    arguments: ["dispatch", "sleep", "receive", "next", "nextSleep", "hook"])
  func waitsTooEarly(_ call: String) async {
    // A wait of that time would end with the time limit of the suite.
    let long = Duration.seconds(86_400)
    let result = await explored(limit: 1) { world in
      let lookup = world.endpoint("lookup") { (text: String) in text }
      let store = DeskTest(
        state: Desk(),
        interactor: Hooking<Desk, Job, OneHook>(
          connect: { _, store in store.publisher.title.sink { _ in } },
          handle: { [clock = world.clock] job, store in
            if job == "sleep" { try await clock.sleep(for: .seconds(1)) }
            store.title = try await lookup(job.text)
          }))
      switch call {
      case "dispatch", "sleep": await store.dispatch(Job(call), timeout: long) { _ in }
      case "receive": await store.receive("a", timeout: long)
      case "next": await lookup.next(timeout: long)
      case "nextSleep": await world.clock.nextSleep(timeout: long)
      default: await store.hook(OneHook.only, timeout: long) {}
      }
      await world.run()
    }
    let text = result.texts.only
    let reason =
      switch call {
      case "dispatch", "sleep":
        "\(call) has not ended: only run() answers and moves the clock, so use send."
      case "receive": "a was not received; nothing was."
      case "next": "lookup: only run() answers and moves the clock, and no call came."
      case "nextSleep":
        "nextSleep(): only run() answers and moves the clock, and nothing went to sleep"
      default: "none did. In an exploration, only run() answers and moves the clock."
      }
    #expect(text.contains(reason), "\(text)")
    #expect(text.contains("\nfails in 1 of 1 order.") || text.hasPrefix("fails in 1 of 1 order."))
  }

  @Test("I1 an action may wait until another one has settled")
  func settled() async {
    let report = await explore { world in
      let lookup = world.endpoint("lookup") { (text: String) in text }
      let store = makeDeskTest { job, store in
        guard job == "outer" else {
          store.title = try await lookup(job.text)
          return
        }
        await store.send("inner").settled
        store.count = 1
      }
      world.finally("both") { store.title == "inner" && store.count == 1 }
      store.send("outer")
      await world.run()
    }
    #expect(report.orders == 1)
  }
}
