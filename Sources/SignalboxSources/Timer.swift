public import Signalbox

extension Signal where Value == Void {
  /// Makes a signal that ticks, first after one interval.
  ///
  ///     Signal.timer(every: .seconds(60)).assign(toAction: .refresh, using: store)
  ///
  /// Each subscriber has its own timer, which starts with the subscription. The n-th tick is due n
  /// intervals after the start, so ticks don't drift. A tick that is late, because the main actor was
  /// busy or the machine asleep, is delivered late and not lost (E4).
  ///
  /// - Parameters:
  ///   - interval: the time between two ticks. Zero or a negative duration traps with a message. More
  ///     than 100 years are treated as 100 years.
  ///   - clock: the clock that measures the interval. A test passes a clock that it advances.
  public static func timer(
    every interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Signal {
    // Not `precondition`, which prints no message in a release build.
    if interval <= .zero {
      fatalError("timer(every: \(interval)): a timer needs a positive duration between two ticks.")
    }
    return Signal { tick($0, every: interval.withinReason, on: clock) }
  }
}

@MainActor private func tick<C: Clock<Duration>>(
  _ subscriber: Subscriber<Void>, every interval: Duration, on clock: C
) -> Subscription {
  let ticker = Ticker(subscriber, every: interval, on: clock)
  ticker.wait()
  return Subscription { ticker.stop() }
}

/// The timer of one subscriber.
@MainActor private final class Ticker<C: Clock<Duration>> {
  private let interval: Duration
  private let clock: C
  private let timer: OneShotTimer
  private var subscriber: Subscriber<Void>?
  private var due: C.Instant
  /// The late ticks since other tasks could run.
  private var lateTicks = 0

  init(_ subscriber: Subscriber<Void>, every interval: Duration, on clock: C) {
    self.subscriber = subscriber
    self.interval = interval
    self.clock = clock
    timer = .on(clock)
    due = clock.now.advanced(by: interval)
  }

  func wait() {
    while subscriber != nil {
      let left = clock.now.duration(to: due)
      if left > .zero {
        lateTicks = 0
        return timer.set(after: left) { [weak self] in
          self?.tick()
          self?.wait()
        }
      }
      lateTicks += 1
      // Many ticks may be late at once, after the machine was asleep.
      if lateTicks.isMultiple(of: 100) {
        Task {
          self.tick()
          self.wait()
        }
        return
      }
      tick()
    }
  }

  private func tick() {
    due = due.advanced(by: interval)
    subscriber?.receive(())
  }

  func stop() {
    subscriber = nil
    timer.cancel()
  }
}
