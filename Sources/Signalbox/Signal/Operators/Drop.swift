extension SignalOperators where Self: SignalConvertible {
  /// Drops the first values and delivers the rest.
  ///
  /// - Parameter count: the number of values to drop. A negative count traps (S18).
  public func dropFirst(_ count: Int = 1) -> Signal<Value> {
    // Not `precondition`, which prints no message in a release build.
    if count < 0 {
      fatalError("dropFirst(\(count)): a count cannot be negative. Pass 0 to drop none.")
    }
    let signal = signal
    return Signal.direct { subscriber in
      var remaining = count
      return signal.attach(
        subscriber.pullback {
          if remaining > 0 { remaining -= 1 } else { subscriber.receive($0) }
        })
    }
  }

  /// Drops values as long as they satisfy a condition, and delivers the first other one and the rest.
  ///
  /// - Parameter condition: is not called again after it was `false` once.
  public func drop(while condition: @escaping @MainActor (Value) -> Bool) -> Signal<Value> {
    let signal = signal
    return Signal.direct { subscriber in
      var isDropping = true
      return signal.attach(
        subscriber.pullback {
          if isDropping { isDropping = condition($0) }
          if !isDropping { subscriber.receive($0) }
        })
    }
  }
}
