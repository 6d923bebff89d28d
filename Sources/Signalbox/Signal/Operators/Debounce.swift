extension SignalOperators where Self: SignalConvertible {
  /// Delivers a value once no newer one has arrived for an interval.
  ///
  /// - Parameters:
  ///   - interval: how long to wait for a newer value. A negative interval is treated as zero, and
  ///     an interval of more than 100 years as 100 years.
  ///   - clock: the clock that measures the interval. A test passes a clock that it advances.
  ///
  /// The newest value is delivered at once when the source finishes, and dropped on cancel (S18).
  /// One task waits, however many values arrive. A `sleep` of the clock that returns early or
  /// throws counts as the end of the wait, so no value is held back or lost.
  public func debounce(
    for interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Signal<Value> {
    let signal = signal
    return .direct { subscriber in
      let stage = TimedStage(subscriber, for: interval, on: clock)
      var newest: Kept<Value>?
      let flush = { @MainActor in
        stage.endHold()
        newest.take()?.deliver(stage.send)
      }
      stage.connect(
        to: signal,
        finish: {
          flush()
          stage.finish()
        },
        receive: { value in
          stage.timer.fireIfDue()
          // Firing may have ended the subscription. Nothing would cancel a timer that is set then.
          guard !stage.isClosed else { return }
          let old = exchange(&newest, with: Kept(value))
          stage.beginHold()
          stage.timer.set(after: interval, flush)
          // Released last, because its `deinit` may call back or end the subscription.
          withExtendedLifetime(old) {}
        })
      return stage.subscription
    }
  }
}
