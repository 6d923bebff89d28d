extension SignalOperators where Self: SignalConvertible {
  /// Delivers the first value at once, and then at most one value for each interval.
  ///
  /// - Parameters:
  ///   - interval: the shortest time between two values. A negative interval is treated as zero,
  ///     and an interval of more than 100 years as 100 years.
  ///   - latest: whether the newest value of an interval is delivered at its end, or the first one.
  ///   - clock: the clock that measures the interval. A test passes a clock that it advances.
  ///
  /// A value that arrives exactly at the end of an interval belongs to the next one. It is delivered
  /// at once and replaces the value that is kept, unless `latest` is `false`. The value that is kept is
  /// delivered at once when the source finishes, and dropped on cancel (S18). A `sleep` of the clock
  /// that returns early or throws counts as the end of the interval, so no value is held back or lost.
  public func throttle(
    for interval: Duration, latest: Bool = true, clock: any Clock<Duration> = ContinuousClock()
  ) -> Signal<Value> {
    let signal = signal
    return .direct { subscriber in
      let throttle = Throttle(subscriber, interval: interval, keepsLatest: latest, clock: clock)
      throttle.stage.connect(
        to: signal,
        finish: {
          throttle.flush()
          throttle.stage.finish()
        },
        receive: { throttle.receive($0) })
      return throttle.stage.subscription
    }
  }
}

/// The state of one throttled subscription.
@MainActor private final class Throttle<Value> {
  let stage: TimedStage<Value>
  private let interval: Duration
  private let keepsLatest: Bool
  /// Whether the interval after a value has not ended, so that further values wait.
  private var isWaiting = false
  private var kept: Kept<Value>?

  init(
    _ subscriber: Subscriber<Value>, interval: Duration, keepsLatest: Bool,
    clock: any Clock<Duration>
  ) {
    stage = TimedStage(subscriber, for: interval, on: clock)
    self.interval = interval
    self.keepsLatest = keepsLatest
  }

  func receive(_ value: Value) {
    // The clock may have reached the deadline before the sleeper wakes.
    if isWaiting, stage.timer.isDue {
      let replaced = keepsLatest ? kept.take() : nil
      endInterval()
      withExtendedLifetime(replaced) {}
    }
    // The clock or a subscriber may have ended the subscription. Nothing would end a hold then.
    guard !stage.isClosed else { return }
    if isWaiting {
      // Exchanged, because the `deinit` of the old value may call back into this method.
      if kept == nil { stage.beginHold() }
      if keepsLatest || kept == nil { _ = exchange(&kept, with: Kept(value)) }
    } else {
      beginInterval()
      stage.send(value)
    }
  }

  func flush() {
    stage.endHold()
    kept.take()?.deliver(stage.send)
  }

  private func beginInterval() {
    isWaiting = true
    stage.timer.set(after: interval) { [weak self] in
      // Once more at the same time, so that what other sleepers of the clock send then comes first.
      self?.stage.timer.set(after: .zero) { [weak self] in self?.endInterval() }
    }
  }

  private func endInterval() {
    stage.endHold()
    isWaiting = false
    // Taken first, because a clock that returns at once ends the next interval in `beginInterval`.
    guard let kept = kept.take() else { return }
    beginInterval()
    kept.deliver(stage.send)
  }
}
