extension SignalOperators where Self: SignalConvertible {
  /// Delivers some values to each subscriber at once, before the values of the signal.
  ///
  /// The subscription to the signal begins after them, so what the subscriber sends in response to them
  /// does not arrive. To start with the current value of a property, use `includingCurrent()`, which
  /// subscribes first.
  public func prepend(_ values: Value...) -> Signal<Value> {
    let signal = signal
    return Signal.direct { subscriber in
      for value in values where subscriber.isOpen() { subscriber.receive(value) }
      return subscriber.isOpen() ? signal.attach(subscriber) : .empty
    }
  }
}
