extension SignalOperators where Self: SignalConvertible {
  /// Transforms each value and drops the results that are `nil`.
  ///
  /// The result is an event signal.
  public func compactMap<T>(_ transform: @escaping @MainActor (Value) -> T?) -> Signal<T> {
    let signal = signal
    return Signal<T>.direct { subscriber in
      subscriber.attachment?.addTransformation()
      return signal.attach(
        subscriber.pullback { if let value = transform($0) { subscriber.receive(value) } })
    }
  }
}
