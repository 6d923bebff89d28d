import Signalbox
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct DebounceTests {
  @Test("S18 debounce keeps the newest value and delivers it after the interval without values")
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

  @Test("S18 a newer value restarts the wait, and one task sleeps however many values arrive")
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

  @Test("S18 a value is delivered by the clock's time, even if the sleeping task has not woken")
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

  @Test("S18 a finish delivers the kept value before the completion and ends the sleep")
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

  @Test("S18 a finish without a kept value delivers no value")
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

  @Test("S18 a cancel drops the kept value and ends the sleep")
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

  @Test("S18 a cancel while the timer fires drops the kept value")
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
    "S18 a zero or negative interval delivers every value, and keeps doing so",
    arguments: [Duration.zero, .seconds(-1)])
  func noInterval(_ interval: Duration) async {
    let (emitter, clock, log) = (Emitter<Int>(), SignalClock(), SignalLog<Int>())
    let subscription = emitter.debounce(for: interval, clock: clock).sink(
      receiveCompletion: { log.add(-1) }, receiveValue: { log.add($0) })
    for value in 1...3 { emitter.send(value) }
    // Checked before the finish, which would deliver the last value even if no timer fired.
    #expect(log.entries == [1, 2, 3])
    emitter.finish()
    #expect(log.entries == [1, 2, 3, -1])
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 a clock that has already passed the deadline delivers every value, and keeps doing so")
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

  @Test("S5 a value sent in reaction to a debounced value starts another wait")
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

  @Test("S18 debounce works with a real clock")
  func realClock() async {
    let emitter = Emitter<Int>()
    let task = Task.atOnce { @MainActor in
      await emitter.debounce(for: .milliseconds(1)).first()
    }
    emitter.send(1)
    #expect(await task.value == 1)
  }
}

/// A clock whose time passes each time it is read.
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
