extension SignalConvertible {
  /// Gives the first value at once, and from then on one value an interval at the most.
  ///
  /// - Parameters:
  ///   - interval: the least time between two values. A negative one is treated as zero, one of
  ///     more than 100 years as 100 years.
  ///   - latest: whether the newest value of an interval is given at its end, or the first.
  ///   - clock: what measures it; a test passes one that it moves by hand.
  ///
  /// What is kept is given at once when the source finishes, and dropped on cancel (S18). A `sleep`
  /// of the clock that returns early or throws counts as the end of the interval: no value is kept
  /// back or lost.
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

@MainActor private final class Throttle<Value> {
  let stage: Stage<Value>
  private let timer: OneShotTimer
  private let interval: Duration
  private let keepsLatest: Bool
  private var isClosed = false
  private var kept: Value?

  init(
    _ subscriber: Subscriber<Value>, interval: Duration, keepsLatest: Bool,
    clock: any Clock<Duration>
  ) {
    let timer = OneShotTimer.on(clock)
    self.timer = timer
    self.interval = interval
    self.keepsLatest = keepsLatest
    stage = Stage(subscriber) { timer.cancel() }
  }

  func receive(_ value: Value) {
    timer.fireIfDue()
    if isClosed {
      // The value before is released when the new one is in place: its `deinit` may come back here.
      if keepsLatest || kept == nil { _ = exchange(&kept, with: value) }
    } else {
      close()
      stage.send(value)
    }
  }

  func flush() {
    if let value = kept.take() { stage.send(value) }
  }

  private func close() {
    isClosed = true
    timer.set(after: interval) { [weak self] in
      guard let self else { return }
      isClosed = false
      // Taken first: on a clock that returns at once the next interval ends within `close`.
      guard let value = kept.take() else { return }
      close()
      stage.send(value)
    }
  }
}
