import Signalbox
import SignalboxTesting
import Testing

/// Debounces, throttles and sleeps on one clock, and logs the order.
@MainActor private struct Mixer: Interactor {
  enum Hook: CaseIterable { case debounced, throttled, first }
  let clock: any Clock<Duration>
  let input: Emitter<String>

  func onAction(_ job: Job, store: DeskHandle) async throws {
    await farAway()
    if job == "sleep" { try await clock.sleep(for: .seconds(1)) }
    store.log.append(job.text)
  }

  func subscription(for hook: Hook, store: DeskHandle) -> Subscription {
    let signal =
      switch hook {
      case .debounced: input.debounce(for: .seconds(1), clock: clock)
      case .throttled: input.throttle(for: .seconds(1), clock: clock)
      case .first: input.throttle(for: .seconds(1), latest: false, clock: clock)
      }
    return signal.map { "\(hook) \($0)" }.assign(toAction: { Job($0) }, using: store)
  }
}

@Suite(.timeLimit(.minutes(60))) @MainActor struct TestClockTimerTests {
  private let clock = TestClock()
  private let input = Emitter<String>()

  private func makeStore() -> DeskTest {
    DeskTest(state: Desk(), interactor: Mixer(clock: clock, input: input))
  }

  @Test("T3 debounces, throttles and sleepers with the same deadline fire in their order")
  func mixed() async {
    let store = makeStore()
    store.send("sleep")
    input.send("a")
    await store.settle()
    #expect(store.log.sorted() == ["first a", "throttled a"])
    input.send("b")
    input.send("c")
    #expect(store.log.count == 2)
    // The throttles have waited since "a". The debounce started again with "c". What a sleeper sends at
    // the end of an interval may still replace the value that the throttle keeps, so that comes last.
    await clock.advance(by: .seconds(1), timeout: .seconds(60))
    #expect(store.log.dropFirst(2) == ["sleep", "debounced c", "throttled c", "first b"])
    await clock.run()
    #expect(store.log.count == 6)
  }

  @Test("T3 a timer that is set again fires once, and the clock shows the time of its deadline")
  func setAgain() async {
    var rings: [Duration] = []
    let subscription = input.debounce(for: .seconds(1), clock: clock)
      .sink { [clock] _ in rings.append(clock.now.offset) }
    for _ in 0..<5 {
      input.send("a")
      await clock.advance(by: .milliseconds(900))
    }
    await clock.run()
    #expect(rings == [.milliseconds(4_600)])
    withExtendedLifetime(subscription) {}
  }

  @Test("T3 a timer without an interval fires at the next advance, even an advance by zero")
  func noInterval() async {
    let log = SignalLog<String>()
    let subscription = input.debounce(for: .zero, clock: clock).sink { log.add($0) }
    input.send("a")
    input.send("b")
    await clock.advance(by: .zero)
    #expect(log.entries.last == "b")
    withExtendedLifetime(subscription) {}
  }

  @Test("T3 a timer whose subscription was cancelled does not fire and delays nothing")
  func cancelled() async {
    let subscription = input.debounce(for: .seconds(1), clock: clock).sink { _ in
      Issue.record("rang")
    }
    input.send("a")
    subscription.cancel()
    await clock.run()
    #expect(clock.now.offset == .zero)
  }

  @Test("T3 run wakes a throttle until it keeps no value any more")
  func throttleRuns() async {
    let store = makeStore()
    input.send("a")
    input.send("b")
    await clock.run()
    #expect(store.log.filter { $0.hasPrefix("throttled") } == ["throttled a", "throttled b"])
  }

  // Each round makes only fifty stores, so that other tests get the processor back soon.
  @Test("T3 a thousand debounces fire, each when its time has come")
  func manyDebounces() async {
    let stores = (0..<50).map { number in
      DeskTest(
        state: Desk(),
        interactor: Hooking<Desk, Job, OneHook>(
          connect: { [clock, input] _, store in
            input.debounce(for: .seconds(1), clock: clock)
              .assign(toAction: { Job($0) }, using: store)
          },
          handle: { _, store in
            if number.isMultiple(of: 10) { await elsewhere() }
            store.count += 1
          }))
    }
    for round in 1...20 {
      input.send("a")
      await clock.advance(by: .milliseconds(999), timeout: .seconds(60))
      #expect(stores.allSatisfy { $0.triggeredActions.count == round - 1 })
      input.send("b")
      await clock.advance(by: .milliseconds(999), timeout: .seconds(60))
      #expect(stores.allSatisfy { $0.triggeredActions.count == round - 1 })
      await clock.advance(by: .milliseconds(1), timeout: .seconds(60))
      #expect(stores.allSatisfy { $0.count == round && $0.triggeredActions.last == "b" })
    }
  }
}
