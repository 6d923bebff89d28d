extension SignalOperators where Self: SignalConvertible {
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
    return .staged { stage in
      guard count > 0 else { return stage.finish() }
      var remaining = count
      stage.connect(to: signal) {
        remaining -= 1
        stage.send($0)
        if remaining == 0 { stage.finish() }
      }
    }
  }

  /// Delivers values as long as they satisfy a condition, then finishes and cancels its source.
  ///
  /// The first value that does not satisfy the condition is not delivered.
  public func prefix(while condition: @escaping @MainActor (Value) -> Bool) -> Signal<Value> {
    let signal = signal
    return .staged { stage in
      stage.connect(to: signal) { if condition($0) { stage.send($0) } else { stage.finish() } }
    }
  }

  /// Delivers values until another signal delivers its first value, then finishes.
  ///
  /// The other signal is subscribed to first, so a value that both deliver is not delivered. If it
  /// finishes without a value, all values are delivered.
  public func prefix(untilOutputFrom other: some SignalConvertible) -> Signal<Value> {
    let (signal, other) = (signal, other.signal)
    return .staged { stage in
      stage.connect(to: other, finish: {}, receive: { _ in stage.finish() })
      stage.connect(to: signal) { stage.send($0) }
    }
  }
}
