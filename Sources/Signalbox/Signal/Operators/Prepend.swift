extension SignalOperators where Self: SignalConvertible {
  /// Delivers some values to each subscriber at once, before the values of the signal.
  public func prepend(_ values: Value...) -> Signal<Value> {
    let signal = signal
    return Signal.direct { subscriber in
      for value in values where subscriber.isOpen() { subscriber.receive(value) }
      return subscriber.isOpen() ? signal.attach(subscriber) : .empty
    }
  }
}
