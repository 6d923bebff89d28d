import Signalbox
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct ThrottleTests {
  private struct Told: Equatable {
    let value: Int
    let time: Duration
  }

  private func sink(
    _ emitter: Emitter<Int>, latest: Bool, _ clock: SignalClock, _ log: SignalLog<Told>
  ) -> Subscription {
    emitter.throttle(for: .seconds(1), latest: latest, clock: clock).sink(
      receiveCompletion: { log.add(Told(value: -1, time: clock.now.offset)) },
      receiveValue: { log.add(Told(value: $0, time: clock.now.offset)) })
  }

  @Test("S18 an interval ends by the clock's time, whether or not its sleeper has woken")
  func clockAhead() async {
    let (emitter, clock) = (Emitter<Int>(), SignalClock())
    var told: [Int] = []
    let subscription = emitter.throttle(for: .seconds(1), clock: clock).sink { told.append($0) }
    emitter.send(1)
    await clock.until { $0.sleeping == 1 }
    clock.advance(by: .seconds(1))
    emitter.send(2)
    #expect(told == [1, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "S18 throttle delivers the first value at once, then one for each interval",
    arguments: [(true, 3, 5), (false, 2, 4)])
  func instants(latest: Bool, second: Int, third: Int) async {
    let (emitter, clock, log) = (Emitter<Int>(), SignalClock(), SignalLog<Told>())
    let subscription = sink(emitter, latest: latest, clock, log)
    for value in 1...3 { emitter.send(value) }
    #expect(log.entries == [Told(value: 1, time: .zero)])
    await clock.until { $0.sleeping == 1 }
    clock.advance(by: .milliseconds(999))
    #expect(clock.book.sleeping == 1)
    clock.advance(by: .milliseconds(1))
    await log.reach(2)
    for value in 4...5 { emitter.send(value) }
    #expect(log.entries.count == 2, "an interval has begun with the second value")
    await clock.until { $0.sleeping == 1 }
    clock.advance(by: .seconds(1))
    await log.reach(3)
    #expect(log.entries[1] == Told(value: second, time: .seconds(1)))
    #expect(log.entries[2] == Told(value: third, time: .seconds(2)))
    #expect(clock.book.peak == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 after an interval without values the next value is delivered at once")
  func reopens() async {
    let (emitter, clock, log) = (Emitter<Int>(), SignalClock(), SignalLog<Told>())
    let subscription = sink(emitter, latest: true, clock, log)
    emitter.send(1)
    await clock.until { $0.sleeping == 1 }
    emitter.send(2)
    clock.advance(by: .seconds(1))
    await log.reach(2)
    await clock.until { $0.sleeping == 1 }
    clock.advance(by: .seconds(10))
    // The throttle may not have noticed the end yet. Either way the value is delivered now.
    emitter.send(3)
    await log.reach(3)
    #expect(log.entries.last == Told(value: 3, time: .seconds(11)))
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 one task sleeps, however many values arrive")
  func oneSleeper() async {
    let (emitter, clock, log) = (Emitter<Int>(), SignalClock(), SignalLog<Told>())
    let subscription = sink(emitter, latest: true, clock, log)
    for value in 0..<1_000 { emitter.send(value) }
    await clock.until { $0.sleeping == 1 }
    clock.advance(by: .seconds(1))
    await log.reach(2)
    await clock.until { $0.sleeping == 1 }
    #expect(clock.book.calls == 2)
    #expect(clock.book.peak == 1)
    #expect(log.entries.map(\.value) == [0, 999])
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 a finish delivers the kept value before the completion", arguments: [true, false])
  func flush(latest: Bool) async {
    let (emitter, clock, log) = (Emitter<Int>(), SignalClock(), SignalLog<Told>())
    let subscription = sink(emitter, latest: latest, clock, log)
    for value in 1...3 { emitter.send(value) }
    await clock.until { $0.sleeping == 1 }
    emitter.finish()
    #expect(log.entries.map(\.value) == [1, latest ? 3 : 2, -1])
    await clock.until { $0.sleeping == 0 }
    withExtendedLifetime(subscription) {}
  }

  @Test("S18 a cancel drops the kept value and ends the sleep")
  func cancel() async {
    let (emitter, clock, log) = (Emitter<Int>(), SignalClock(), SignalLog<Told>())
    let subscription = sink(emitter, latest: true, clock, log)
    emitter.send(1)
    emitter.send(2)
    await clock.until { $0.sleeping == 1 }
    subscription.cancel()
    await clock.until { $0.sleeping == 0 }
    clock.advance(by: .seconds(1))
    emitter.finish()
    #expect(log.entries.map(\.value) == [1])
  }

  @Test("S13 S18 a cancel ends the sleep of an interval that began with a kept value")
  func cancelLater() async {
    let (emitter, clock, log) = (Emitter<Int>(), SignalClock(), SignalLog<Told>())
    let subscription = sink(emitter, latest: true, clock, log)
    for value in 1...2 { emitter.send(value) }
    await clock.until { $0.sleeping == 1 }
    clock.advance(by: .seconds(1))
    await log.reach(2)
    await clock.until { $0.sleeping == 1 }
    subscription.cancel()
    #expect(clock.book.sleeping == 0)
  }

  @Test(
    "S18 a zero or negative interval delivers every value",
    arguments: [Duration.zero, .seconds(-1)])
  func noInterval(_ interval: Duration) {
    let emitter = Emitter<Int>()
    var told: [Int] = []
    let subscription = emitter.throttle(for: interval, clock: SignalClock()).sink {
      told.append($0)
    }
    for value in 1...4 { emitter.send(value) }
    #expect(told == [1, 2, 3, 4])
    withExtendedLifetime(subscription) {}
  }

  @Test("S5 a value sent in reaction to the first value is kept until the interval ends")
  func feedback() async {
    let (emitter, clock, log) = (Emitter<Int>(), SignalClock(), SignalLog<Int>())
    let subscription = emitter.throttle(for: .seconds(1), clock: clock).sink { value in
      if value < 3 { emitter.send(value + 1) }
      log.add(value)
    }
    emitter.send(1)
    #expect(log.entries == [1])
    for count in 2...3 {
      await clock.until { $0.sleeping == 1 }
      clock.advance(by: .seconds(1))
      await log.reach(count)
    }
    #expect(log.entries == [1, 2, 3])
    withExtendedLifetime(subscription) {}
  }
}
