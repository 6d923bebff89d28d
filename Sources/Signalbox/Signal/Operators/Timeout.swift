extension SignalOperators where Self: SignalConvertible {
  /// Finishes and cancels its source once no value has arrived for an interval.
  ///
  ///     let answer = await answers.timeout(.seconds(3)).first()    // `nil` after three seconds
  ///
  /// The time of the clock counts, even if the main actor was busy. A value that arrives at the end of
  /// the interval is too late.
  ///
  /// - Parameters:
  ///   - interval: how long to wait for the first value, and for each next one. A negative interval is
  ///     treated as zero, and an interval of more than 100 years as 100 years.
  ///   - clock: the clock that measures the interval. A test passes a clock that it advances. A `sleep`
  ///     of the clock that returns early or throws counts as the end of the wait (S18).
  public func timeout(
    _ interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Signal<Value> {
    let signal = signal
    return .direct { subscriber in
      let stage = TimedStage(subscriber, for: interval, on: clock)
      stage.timer.set(after: interval) { stage.finish() }
      stage.connect(to: signal) {
        stage.timer.fireIfDue()
        guard !stage.isClosed else { return }
        stage.send($0)
        // The value may have ended the subscription. Nothing would cancel a timer that is set then.
        if !stage.isClosed { stage.timer.set(after: interval) { stage.finish() } }
      }
      return stage.subscription
    }
  }
}
