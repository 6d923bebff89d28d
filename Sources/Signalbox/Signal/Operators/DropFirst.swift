extension SignalConvertible {
  /// Passes over the first values and gives the rest.
  ///
  /// - Parameter count: how many to pass over, zero or more.
  public func dropFirst(_ count: Int = 1) -> Signal<Value> {
    // Not `precondition`, which says nothing in a release build.
    if count < 0 {
      fatalError("dropFirst(\(count)): a count cannot be negative. Pass 0 to drop none.")
    }
    let signal = signal
    return Signal.direct({ subscriber in
      var remaining = count
      return signal.attach(
        subscriber.pullback {
          if remaining > 0 { remaining -= 1 } else { subscriber.receive($0) }
        })
    })
  }
}
