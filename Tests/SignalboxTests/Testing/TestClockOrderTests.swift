import Signalbox
import SignalboxTesting
import Testing

/// Sleeps as long as an action says, and logs when it wakes.
@MainActor private struct Sleepy: Actionable {
  let clocks: [TestClock]
  var onWake: @MainActor () async -> Void = {}

  func onAction(_ action: Nap, store: MutatingStore<Desk, Nap>) async throws {
    do {
      try await clocks[action.clock].sleep(for: action.time)
    } catch {
      store.run { $0.log.append("threw") }
      return
    }
    await onWake()
    store.log.append(action.name)
    if let next = action.next.first {
      store.send(Nap(next, action.time, next: Array(action.next.dropFirst())))
    }
  }
}

private struct Nap: Equatable {
  var name: String
  var time: Duration
  var clock = 0
  var next: [String] = []
  init(_ name: String, _ time: Duration, clock: Int = 0, next: [String] = []) {
    (self.name, self.time, self.clock, self.next) = (name, time, clock, next)
  }
}

@Suite(.timeLimit(.minutes(60))) @MainActor struct TestClockOrderTests {
  private let clock = TestClock()

  private func makeStore(onWake: @escaping @MainActor () async -> Void = {}) -> TestStore<Desk, Nap>
  {
    TestStore(state: Desk(), actionable: Sleepy(clocks: [clock], onWake: onWake))
  }

  @Test("T3 sleepers wake by their deadlines, then in the order in which they went to sleep")
  func order() async {
    let store = makeStore()
    for (name, seconds) in [("d", 3), ("b", 2), ("a", 1), ("c", 2), ("e", 3)] {
      store.send(Nap(name, .seconds(seconds)))
    }
    await clock.advance(by: .seconds(3))
    #expect(store.log == ["a", "b", "c", "d", "e"])
  }

  @Test("T3 the store settles between two sleepers that wake at the same time")
  func settlesBetween() async {
    for _ in 0..<20 {
      let store = makeStore(onWake: farAway)
      for name in ["a", "b", "c", "d"] { store.send(Nap(name, .seconds(1))) }
      await clock.advance(by: .seconds(1), timeout: .seconds(60))
      #expect(store.log == ["a", "b", "c", "d"])
    }
  }

  @Test("T3 a sleeper that sleeps again on waking wakes again in the same advance, in order")
  func again() async {
    let store = makeStore(onWake: farAway)
    store.send(Nap("a1", .seconds(2), next: ["a2", "a3"]))
    store.send(Nap("b1", .seconds(3), next: ["b2"]))
    await clock.advance(by: .seconds(5), timeout: .seconds(60))
    #expect(store.log == ["a1", "b1", "a2"])
    await clock.advance(by: .seconds(1), timeout: .seconds(60))
    // b went to sleep at 3 and a at 4, so both are due at 6.
    #expect(store.log == ["a1", "b1", "a2", "b2", "a3"])
  }

  @Test("T3 the clock shows the deadline while a sleeper wakes, and finally the target")
  func now() async {
    var seen: [Duration] = []
    let store = makeStore { [clock] in seen.append(clock.now.offset) }
    store.send(Nap("a", .seconds(1)))
    store.send(Nap("b", .seconds(2)))
    await clock.advance(by: .seconds(5))
    #expect(seen == [.seconds(1), .seconds(2)])
    #expect(clock.now.offset == .seconds(5))
  }

  @Test("T3 a sleeper that is a nanosecond short of its deadline keeps sleeping")
  func notYet() async {
    let store = makeStore()
    store.send(Nap("a", .seconds(1)))
    await clock.advance(by: .seconds(1) - .nanoseconds(1))
    #expect(store.log.isEmpty)
    await clock.advance(by: .nanoseconds(1))
    #expect(store.log == ["a"])
  }

  @Test("T3 a sleep with a past deadline or without a duration returns at once")
  func past() async throws {
    await clock.advance(by: .seconds(10))
    try await clock.sleep(for: .zero)
    try await clock.sleep(for: .seconds(-1))
    try await clock.sleep(until: TestClock().now)
    try await clock.sleep(until: clock.now)
    #expect(clock.now.offset == .seconds(10))
  }

  @Test("T3 a negative advance moves no time and wakes no sleeper, and still settles")
  func negative() async {
    let store = makeStore()
    await clock.advance(by: .seconds(5))
    store.send(Nap("a", .seconds(1)))
    await clock.advance(by: .seconds(-3))
    #expect(clock.now.offset == .seconds(5))
    #expect(store.log.isEmpty)
    await clock.advance(by: .seconds(1))
    #expect(store.log == ["a"])
  }

  @Test("T3 the sleepers of several stores on one clock wake in one order")
  func severalStores() async {
    let log = SignalLog<String>()
    let stores = (0..<4).map { _ in
      TestStore<Desk, Nap>(
        state: Desk(),
        actionable: Handling { [clock] nap, _ in
          for _ in 0..<3 {
            try await clock.sleep(for: nap.time)
            await farAway()
            log.add("\(nap.name)\(clock.now.offset / .seconds(1))")
          }
        })
    }
    for (index, store) in stores.enumerated() { store.send(Nap("\(index)@", .seconds(1))) }
    await clock.advance(by: .seconds(3), timeout: .seconds(60))
    #expect(
      log.entries
        == (1...3).flatMap { time in (0..<4).map { "\($0)@\(Double(time))" } })
  }

  @Test("T3 a store on several clocks wakes only by the clock that is moved")
  func severalClocks() async {
    let other = TestClock()
    let store = TestStore<Desk, Nap>(
      state: Desk(), actionable: Sleepy(clocks: [clock, other]))
    store.send(Nap("a", .seconds(1), clock: 0))
    store.send(Nap("b", .seconds(1), clock: 1))
    await other.advance(by: .seconds(1))
    #expect(store.log == ["b"])
    await clock.run()
    #expect(store.log == ["b", "a"])
    #expect(other.now.offset == .seconds(1))
  }

  @Test("T3 a sleeper that is cancelled throws at once, and the clock forgets it")
  func cancelled() async {
    let store = TestStore<Desk, Nap>(
      state: Desk(),
      actionable: Handling { [clock] nap, store in
        let sleeper = Task { try await clock.sleep(for: nap.time) }
        store.run { _ in sleeper.cancel() }
        store.log.append("\(await sleeper.result.isFailure)")
      })
    await store.dispatch(Nap("a", .seconds(1)))
    #expect(store.log == ["true"])
    await clock.run()
    #expect(clock.now.offset == .zero)
  }

  @Test("T3 a task that was cancelled before it sleeps throws without sleeping")
  func cancelledBefore() async {
    let sleeper = Task { [clock] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    #expect(await sleeper.result.isFailure)
    await clock.run()
    #expect(clock.now.offset == .zero)
  }

  @Test("T3 work that is cancelled while it sleeps neither wakes nor counts")
  func cancelledWork() async {
    let store = makeStore()
    let sleeper = store.send(Nap("a", .seconds(1)))
    await store.settle()
    sleeper.cancel()
    #expect(store.runningCount == 0)
    await store.settle(timeout: .zero)
    await clock.run()
    #expect(clock.now.offset == .zero)
    #expect(store.log.isEmpty)
  }
}

extension Result {
  fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
