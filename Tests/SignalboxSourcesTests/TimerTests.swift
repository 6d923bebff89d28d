import Foundation
import Signalbox
import SignalboxSources
import SignalboxTesting
import Testing

@Suite(.timeLimit(.minutes(60))) @MainActor struct TimerTests {
  @Test("E4 a timer ticks first after one interval, and at each interval from then on")
  func ticks() async {
    let clock = TestClock()
    var told: [Duration] = []
    let subscription = Signal.timer(every: .seconds(2), clock: clock).sink {
      told.append(clock.now.offset)
    }
    await clock.advance(by: .milliseconds(1_999))
    #expect(told == [])
    await clock.advance(by: .milliseconds(6_001))
    #expect(told == [2, 4, 6, 8].map { .seconds($0) })
    subscription.cancel()
    await clock.advance(by: .seconds(60))
    #expect(told.count == 4)
  }

  @Test("E4 each subscriber has its own timer, which starts with it")
  func twoSubscribers() async {
    let clock = TestClock()
    let timer = Signal.timer(every: .seconds(2), clock: clock)
    var told: [String] = []
    let first = timer.sink { told.append("first \(clock.now)") }
    await clock.advance(by: .seconds(1))
    let second = timer.sink { told.append("second \(clock.now)") }
    await clock.advance(by: .seconds(3))
    #expect(told == ["first 2.0 seconds", "second 3.0 seconds", "first 4.0 seconds"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("E4 late ticks are delivered and not lost, and the timer does not drift")
  func late() {
    let clock = JumpingClock()
    var ticks = 0
    let subscription = Signal.timer(every: .seconds(1), clock: clock).sink { ticks += 1 }
    clock.jump(by: .milliseconds(1_700))
    #expect(ticks == 1 && clock.deadlines == [.seconds(2)])
    clock.jump(by: .milliseconds(3_500))
    #expect(ticks == 5 && clock.deadlines == [.seconds(6)])
    subscription.cancel()
    #expect(clock.deadlines == [])
  }

  @Test("E4 other tasks run between many late ticks")
  func manyLate() async {
    let clock = JumpingClock()
    let log = SourceLog<Void>()
    let subscription = log.record(Signal.timer(every: .seconds(1), clock: clock))
    clock.jump(by: .seconds(1_000))
    #expect((1...100).contains(log.entries.count))
    await log.reach(1_000)
    #expect(log.entries.count == 1_000 && clock.deadlines == [.seconds(1_001)])
    withExtendedLifetime(subscription) {}
  }

  @Test("S4 E4 a subscriber that cancels in a late tick receives no further one")
  func cancelInside() async {
    let clock = JumpingClock()
    var ticks = 0
    var subscription: Subscription?
    subscription = Signal.timer(every: .seconds(1), clock: clock).sink {
      ticks += 1
      if ticks == 2 { subscription?.cancel() }
    }
    clock.jump(by: .seconds(500))
    #expect(ticks == 2 && clock.deadlines == [])
  }

  @Test("E4 a timer works with a real clock, and its subscriber is released with the subscription")
  func realClock() async {
    final class Token: Sendable { func hold() {} }
    weak var kept: Token?
    do {
      let token = Token()
      kept = token
      let subscription = Signal.timer(every: .seconds(60)).sink { token.hold() }
      withExtendedLifetime(subscription) {}
    }
    #expect(kept == nil)
    #expect(await Signal.timer(every: .milliseconds(1)).first() != nil)
  }

  @Test("E4 a timer without a positive interval traps with a message")
  func noInterval() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @MainActor in _ = Signal.timer(every: .zero)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("a timer needs a positive duration"))
  }
}
