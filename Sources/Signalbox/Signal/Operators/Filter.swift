extension SignalOperators where Self: SignalConvertible {
  /// Delivers only the values that satisfy a condition.
  ///
  /// The result is an event signal.
  public func filter(_ isIncluded: @escaping @MainActor (Value) -> Bool) -> Signal<Value> {
    let signal = signal
    return Signal.direct { subscriber in
      signal.attach(subscriber.pullback { if isIncluded($0) { subscriber.receive($0) } })
    }
  }
}
