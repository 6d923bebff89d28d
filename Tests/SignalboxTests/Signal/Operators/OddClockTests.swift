import Signalbox
import Testing

@testable import SignalboxTesting

/// Tests clocks that misbehave, with which no value may be held back or lost and nothing may hang.
@Suite(.timeLimit(.minutes(60))) @MainActor struct OddClockTests {
  enum Oddity: CaseIterable { case standsStill, throwsOnce, `throws` }

  @Test(
    "S18 a sleep that returns early or throws counts as the end of the wait",
    arguments: Oddity.allCases)
  func debounce(on oddity: Oddity) async {
    let clock = clock(oddity)
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    let subscription = emitter.debounce(for: .seconds(1), clock: clock).sink { log.add($0) }
    for value in 1...3 {
      emitter.send(value)
      await log.reach(value)
    }
    #expect(log.entries == [1, 2, 3])
    #expect(clock.sleeps == 3)
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 a throttle with such a clock holds no value back", arguments: Oddity.allCases)
  func throttle(on oddity: Oddity) async {
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    let subscription = emitter.throttle(for: .seconds(1), clock: clock(oddity)).sink { log.add($0) }
    for value in 1...3 {
      emitter.send(value)
      await log.reach(value)
    }
    #expect(log.entries == [1, 2, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 a timeout goes by the clock, also if its sleeper has not woken yet")
  func lateTimeout() async {
    let moment = StoreMoment()
    let clock = OddClock { _ in .waits(moment) }
    let emitter = Emitter<Int>()
    var received: [Int] = []
    let subscription = emitter.timeout(.seconds(1), clock: clock).sink(
      receiveCompletion: { received.append(-1) }, receiveValue: { received.append($0) })
    for value in 1...3 {
      emitter.send(value)
      clock.advance(by: .milliseconds(value * 400))
    }
    #expect(received == [1, 2, 3])
    emitter.send(4)
    #expect(received == [1, 2, 3, -1])
    moment.happen()
    await clock.ended.reach(1)
    withExtendedLifetime(subscription) {}
  }

  private func clock(_ oddity: Oddity) -> OddClock {
    OddClock { number in
      switch oddity {
      case .standsStill: .returns
      case .throwsOnce: number == 0 ? .throws : .returns
      case .throws: .throws
      }
    }
  }

  @Test(
    "S18 a throttle whose sleep throws delivers the kept value and continues",
    arguments: [false, true])
  func failingThrottle(latest: Bool) async {
    let moment = StoreMoment()
    let clock = OddClock { $0 == 0 ? .waits(moment) : .throws }
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    let subscription = emitter.throttle(for: .seconds(1), latest: latest, clock: clock)
      .sink { log.add($0) }
    for value in 1...3 { emitter.send(value) }
    #expect(log.entries == [1])
    moment.happen()
    await log.reach(2)
    #expect(log.entries == [1, latest ? 3 : 2])
    emitter.send(4)
    await log.reach(3)
    #expect(log.entries.last == 4)
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 a prolonged wait continues when the first sleep ends, whatever the clock says")
  func prolonged() async {
    let (first, second) = (StoreMoment(), StoreMoment())
    let clock = OddClock { .waits($0 == 0 ? first : second) }
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    let subscription = emitter.debounce(for: .seconds(1), clock: clock).sink { log.add($0) }
    emitter.send(1)
    clock.advance(by: .milliseconds(500))
    emitter.send(2)
    first.happen()
    await clock.begun.reach(2)
    #expect(log.entries == [])
    second.happen()
    await log.reach(1)
    #expect(log.entries == [2])
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 after the clock was set back, a value does not wait for the end of the old sleep")
  func setBack() async {
    let (first, second) = (StoreMoment(), StoreMoment())
    let clock = OddClock { .waits($0 == 0 ? first : second) }
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    let subscription = emitter.debounce(for: .seconds(1), clock: clock).sink { log.add($0) }
    emitter.send(1)
    // Sleeps begin on other threads, so the second timer starts only when the first one sleeps.
    await clock.begun.reach(1)
    clock.advance(by: .seconds(-10))
    emitter.send(2)
    await clock.begun.reach(2)
    second.happen()
    await log.reach(1)
    #expect(log.entries == [2])
    first.happen()
    await clock.ended.reach(2)
    #expect(clock.ended.entries.first { $0.number == 0 }?.isCancelled == true)
    #expect(clock.ended.entries.first { $0.number == 1 }?.isCancelled == false)
    #expect(log.entries == [2])
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 a value that a clock sends when it is asked for the time waits for its own deadline")
  func sentByNow() async {
    let (first, second) = (StoreMoment(), StoreMoment())
    let clock = OddClock { .waits($0 == 0 ? first : second) }
    let emitter = Emitter<Int>()
    let log = SignalLog<Int>()
    let subscription = emitter.debounce(for: .seconds(1), clock: clock).sink { log.add($0) }
    emitter.send(1)
    clock.advance(by: .milliseconds(500))
    emitter.send(2)
    // The first sleeper has to sleep again and asks for the time.
    clock.whenAsked.set {
      clock.advance(by: .seconds(2))
      MainActor.assumeIsolated { emitter.send(3) }
    }
    first.happen()
    await log.reach(1)
    #expect(log.entries == [2])
    second.happen()
    await log.reach(2)
    #expect(log.entries == [2, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 X3 an interval that is too long for the clock is treated as 100 years")
  func overflow() async {
    let years = Duration.seconds(100 * 365 * 86_400)
    let emitter = Emitter<Int>()
    let (real, test) = (SignalClock(), TestClock())
    var told: [String] = []
    let subscriptions = [
      emitter.debounce(for: .seconds(Int64.max)).sink { told.append("real \($0)") },
      emitter.debounce(for: .seconds(Int64.max), clock: real).sink { _ in },
      emitter.throttle(for: .seconds(Int64.max), clock: test).sink { told.append("test \($0)") },
    ]
    emitter.send(1)
    emitter.send(2)
    await real.until { $0.calls == 1 }
    #expect(real.book.deadlines == [years])
    await test.advance(by: years)
    emitter.finish()
    #expect(told == ["test 1", "test 2", "real 2"])
    let store = Clockwork.store()
    store.send(
      Clockwork.Event("go") { .event("late").debounce(for: .seconds(Int64.max), id: "wait") })
    #expect(store.isRunning(id: "wait"))
    store.cancelAll()
    withExtendedLifetime(subscriptions) {}
  }

  @Test("S13 S18 a value that ends the subscription when it is replaced leaves nothing waiting")
  func endedByReplacedValue() {
    let clock = CallClock()
    let emitter = Emitter<Will>()
    var subscription: Subscription?
    subscription = emitter.debounce(for: .seconds(1), clock: clock).sink { _ in }
    emitter.send(Will { subscription?.cancel() })
    #expect(clock.waiting == 1)
    emitter.send(Will {})
    #expect(clock.waiting == 0)
  }

  @Test("S13 S18 a value whose delivery ends the subscription leaves nothing waiting")
  func endedByLateValue() {
    for isThrottled in [false, true] {
      let clock = CallClock()
      let emitter = Emitter<Int>()
      // In `throttle`, the value that arrives takes the place of the one that is kept.
      let last = isThrottled ? 3 : 2
      var told: [Int] = []
      var subscription: Subscription?
      subscription = delayed(emitter, isThrottled, by: clock).sink { value in
        told.append(value)
        if value == last { subscription?.cancel() }
      }
      emitter.send(1)
      emitter.send(2)
      #expect(clock.waiting == 1)
      // The clock has not called back yet, so the next value finds that the time has come.
      clock.advance(by: .seconds(1))
      emitter.send(3)
      #expect(told.last == last && clock.waiting == 0)
    }
  }

  private func delayed(
    _ emitter: Emitter<Int>, _ isThrottled: Bool, by clock: any Clock<Duration>
  ) -> Signal<Int> {
    isThrottled
      ? emitter.throttle(for: .seconds(1), clock: clock)
      : emitter.debounce(for: .seconds(1), clock: clock)
  }

  /// Runs a closure when it is released.
  @MainActor private final class Will {
    private let body: @MainActor () -> Void
    init(_ body: @escaping @MainActor () -> Void) { self.body = body }
    deinit { MainActor.assumeIsolated { [body] in body() } }
  }
}
