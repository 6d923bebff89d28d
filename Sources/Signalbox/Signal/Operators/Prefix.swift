extension SignalConvertible {
  /// Delivers the first values, then finishes and cancels its source.
  ///
  /// - Parameter count: the number of values to deliver. With zero, the result finishes at once. A
  ///   negative count traps (S18).
  public func prefix(_ count: Int) -> Signal<Value> {
    // Not `precondition`, which prints no message in a release build.
    if count < 0 {
      fatalError("prefix(\(count)): a count cannot be negative. Pass 0 to take none.")
    }
    let signal = signal
    return Signal.direct { subscriber in
      guard count > 0 else {
        subscriber.finish()
        return .empty
      }
      let stage = Stage(subscriber)
      var remaining = count
      stage.connect(to: signal) {
        remaining -= 1
        stage.send($0)
        if remaining == 0 { stage.finish() }
      }
      return stage.subscription
    }
  }
}
