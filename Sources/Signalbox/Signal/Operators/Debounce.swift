extension SignalConvertible {
  /// Gives a value when no newer one has come for a while.
  ///
  /// - Parameters:
  ///   - interval: how long it must be quiet. A negative one is treated as zero, one of more than
  ///     100 years as 100 years.
  ///   - clock: what measures it; a test passes one that it moves by hand.
  ///
  /// What is kept is given at once when the source finishes, and dropped on cancel (S18). However
  /// many values come, one task waits. A `sleep` of the clock that returns early or throws counts
  /// as the end of the wait: no value is kept back or lost.
  public func debounce(
    for interval: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Signal<Value> {
    let signal = signal
    return .direct { subscriber in
      let timer = OneShotTimer.on(clock)
      let stage = Stage(subscriber) { timer.cancel() }
      var newest: Value?
      stage.connect(
        to: signal,
        finish: {
          if let value = newest.take() { stage.send(value) }
          stage.finish()
        },
        receive: { value in
          timer.fireIfDue()
          // The value before is released when the new one is in place: its `deinit` may come back
          // here.
          _ = exchange(&newest, with: value)
          timer.set(after: interval) { if let value = newest.take() { stage.send(value) } }
        })
      return stage.subscription
    }
  }
}
