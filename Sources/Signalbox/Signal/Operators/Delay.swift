extension SignalOperators where Self: SignalConvertible {
  /// Delivers each value, and the finish, an interval later and in order.
  ///
  /// - Parameters:
  ///   - interval: how long each value is kept. A negative interval is treated as zero, and an interval
  ///     of more than 100 years as 100 years.
  ///   - clock: the clock that measures the interval. A test passes a clock that it advances.
  ///
  /// The values that are kept are dropped on cancel. One task waits, however many values arrive. A
  /// `sleep` of the clock that returns early or throws counts as the end of the wait (S18).
  public func delay(
    for interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Signal<Value> {
    delay(by: interval.withinReason, on: clock)
  }

  private func delay<C: Clock<Duration>>(by interval: Duration, on clock: C) -> Signal<Value> {
    let signal = signal
    return .direct { subscriber in
      let delay = Delay(subscriber, interval: interval, clock: clock)
      delay.stage.connect(
        to: signal, finish: { delay.keep(nil) }, receive: { delay.keep(Kept($0)) })
      return delay.stage.subscription
    }
  }
}

/// The state of one delayed subscription.
@MainActor private final class Delay<Value, C: Clock<Duration>> {
  /// A value or, without one, the finish.
  private typealias Entry = (kept: Kept<Value>?, deadline: C.Instant)

  let stage: TimedStage<Value>
  private let interval: Duration
  private let clock: C
  /// What is delivered next, until it has been delivered.
  private var next: Entry?
  private var rest = Queue<Entry>()

  init(_ subscriber: Subscriber<Value>, interval: Duration, clock: C) {
    stage = TimedStage(subscriber, for: interval, on: clock)
    self.interval = interval
    self.clock = clock
  }

  func keep(_ kept: Kept<Value>?) {
    let entry = (kept, clock.now.advanced(by: interval))
    guard next == nil else { return rest.append(entry) }
    wait(for: entry)
  }

  private func wait(for entry: Entry) {
    next = entry
    let remaining = clock.now.duration(to: entry.deadline)
    stage.beginHold()
    // It keeps this object, because a source that has finished no longer does.
    stage.timer.set(after: remaining) { self.deliver() }
  }

  /// Delivers everything that is due, in a loop because the timer would call back recursively.
  private func deliver() {
    stage.endHold()
    while let entry = next, !stage.isClosed {
      guard let kept = entry.kept else { return stage.finish() }
      kept.deliver(stage.send)
      next = rest.popFirst()
      // Once a delivery has ended the subscription, nothing would cancel a timer.
      if let next, !stage.isClosed, next.deadline > clock.now { return wait(for: next) }
    }
  }
}
