import Signalbox
import Testing

@Suite(.timeLimit(.minutes(10))) @MainActor struct DebounceTests {
  @Test("S18 debounce keeps the newest and gives it when it has been quiet for long enough")
  func newest() async {
    let (emitter, clock, log) = (Emitter<Int>(), SignalClock(), SignalLog<Int>())
    let subscription = emitter.debounce(for: .seconds(1), clock: clock).sink { log.add($0) }
    for value in 1...3 { emitter.send(value) }
    #expect(log.entries == [])
    await clock.until { $0.sleeping == 1 }
    clock.advance(by: .seconds(1))
    await log.reach(1)
    #expect(log.entries == [3])
    emitter.send(4)
    await clock.until { $0.sleeping == 1 }
    clock.advance(by: .seconds(1))
    await log.reach(2)
    #expect(log.entries == [3, 4])
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 a newer value starts the wait anew, and one task sleeps however many come")
  func oneSleeper() async {
    let (emitter, clock, log) = (Emitter<Int>(), SignalClock(), SignalLog<Duration>())
    let subscription = emitter.debounce(for: .seconds(1), clock: clock).sink { _ in
      log.add(clock.now.offset)
    }
    for value in 0..<1_000 { emitter.send(value) }
    await clock.until { $0.sleeping == 1 }
    clock.advance(by: .milliseconds(900))
    for value in 0..<1_000 { emitter.send(value) }
    clock.advance(by: .milliseconds(100))
    await clock.until { $0.calls == 2 && $0.sleeping == 1 }
    #expect(log.entries == [])
    #expect(clock.book.deadlines == [.seconds(1), .milliseconds(1_900)])
    clock.advance(by: .milliseconds(900))
    await log.reach(1)
    #expect(log.entries == [.milliseconds(1_900)])
    #expect(clock.book.calls == 2)
    #expect(clock.book.peak == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 the clock decides, also when it is ahead of the task that sleeps by it")
  func clockAhead() async {
    let (emitter, clock, log) = (Emitter<Int>(), SignalClock(), SignalLog<Int>())
    let subscription = emitter.debounce(for: .seconds(1), clock: clock).sink { log.add($0) }
    emitter.send(1)
    await clock.until { $0.sleeping == 1 }
    clock.advance(by: .seconds(1))
    emitter.send(2)
    #expect(log.entries == [1])
    await clock.until { $0.sleeping == 1 }
    clock.advance(by: .seconds(1))
    await log.reach(2)
    #expect(log.entries == [1, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 a finish flushes what is kept, before the completion, and ends the sleep")
  func flush() async {
    let (emitter, clock) = (Emitter<Int>(), SignalClock())
    var told: [Int] = []
    let subscription = emitter.debounce(for: .seconds(1), clock: clock).sink(
      receiveCompletion: { told.append(-1) }, receiveValue: { told.append($0) })
    emitter.send(1)
    emitter.send(2)
    await clock.until { $0.sleeping == 1 }
    emitter.finish()
    #expect(told == [2, -1])
    await clock.until { $0.sleeping == 0 }
    clock.advance(by: .seconds(1))
    #expect(told == [2, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 a finish with nothing kept gives no value")
  func nothingToFlush() async {
    let (emitter, clock, log) = (Emitter<Int>(), SignalClock(), SignalLog<Int>())
    let subscription = emitter.debounce(for: .seconds(1), clock: clock).sink(
      receiveCompletion: { log.add(-1) }, receiveValue: { log.add($0) })
    emitter.send(1)
    await clock.until { $0.sleeping == 1 }
    clock.advance(by: .seconds(1))
    await log.reach(1)
    emitter.finish()
    #expect(log.entries == [1, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 a cancel drops what is kept and ends the sleep")
  func cancel() async {
    let (emitter, clock) = (Emitter<Int>(), SignalClock())
    let subscription = emitter.debounce(for: .seconds(1), clock: clock).sink(
      receiveCompletion: { Issue.record("finished after its cancel") },
      receiveValue: { _ in Issue.record("told after its cancel") })
    emitter.send(1)
    await clock.until { $0.sleeping == 1 }
    subscription.cancel()
    await clock.until { $0.sleeping == 0 }
    clock.advance(by: .seconds(2))
    emitter.send(2)
    emitter.finish()
  }

  @Test("S18 a cancel that meets the alarm on its way drops what is kept")
  func cancelAfterWake() async {
    let (emitter, clock, log) = (Emitter<Int>(), SignalClock(), SignalLog<Int>())
    let victim = emitter.debounce(for: .seconds(1), clock: clock).sink { _ in
      Issue.record("told after its cancel")
    }
    let witness = emitter.debounce(for: .seconds(2), clock: clock).sink { log.add($0) }
    emitter.send(1)
    await clock.until { $0.sleeping == 2 }
    clock.advance(by: .seconds(2))
    victim.cancel()
    await log.reach(1)
    withExtendedLifetime(witness) {}
  }

  @Test(
    "S18 no interval, or a negative one, gives every value, and goes on giving",
    arguments: [Duration.zero, .seconds(-1)])
  func noInterval(_ interval: Duration) async {
    let (emitter, clock, log) = (Emitter<Int>(), SignalClock(), SignalLog<Int>())
    let subscription = emitter.debounce(for: interval, clock: clock).sink(
      receiveCompletion: { log.add(-1) }, receiveValue: { log.add($0) })
    for value in 1...3 { emitter.send(value) }
    // A finish would flush the last, which hides an alarm that rings no more.
    #expect(log.entries == [1, 2, 3])
    emitter.finish()
    #expect(log.entries == [1, 2, 3, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "S18 a clock that has passed the deadline already gives every value, and goes on giving")
  func hastyClock() async {
    let (emitter, log) = (Emitter<Int>(), SignalLog<Int>())
    let subscription = emitter.debounce(for: .nanoseconds(1), clock: HastyClock()).sink {
      log.add($0)
    }
    for value in 1...3 {
      emitter.send(value)
      #expect(log.entries.last == value)
    }
    withExtendedLifetime(subscription) {}
  }

  @Test("S5 what a debounced value makes its subscriber send starts another wait")
  func feedback() async {
    let (emitter, clock, log) = (Emitter<Int>(), SignalClock(), SignalLog<Int>())
    let subscription = emitter.debounce(for: .seconds(1), clock: clock).sink { value in
      if value < 3 { emitter.send(value + 1) }
      log.add(value)
    }
    emitter.send(1)
    for count in 1...3 {
      await clock.until { $0.sleeping == 1 }
      clock.advance(by: .seconds(1))
      await log.reach(count)
    }
    #expect(log.entries == [1, 2, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 it runs on a real clock as well")
  func realClock() async {
    let emitter = Emitter<Int>()
    let task = Task.immediate { @MainActor in
      await emitter.debounce(for: .milliseconds(1)).first()
    }
    emitter.send(1)
    #expect(await task.value == 1)
  }
}

/// Time passes whenever it is looked at.
private final class HastyClock: Clock, Sendable {
  private let clock = SignalClock()
  var now: SignalClock.Instant {
    clock.advance(by: .seconds(1))
    return clock.now
  }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: SignalClock.Instant, tolerance: Duration?) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}
