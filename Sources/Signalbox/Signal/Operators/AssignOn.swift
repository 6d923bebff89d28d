extension SignalOperators where Self: SignalConvertible {
  /// Writes each value to a property of an object that is held weakly (S13).
  ///
  ///     store.publisher.title.assign(to: \.text, on: label)
  ///
  /// After the object is released, the subscription ends with the next value. The assignment is a
  /// sink like any other (H2, H3).
  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Value>, on root: Root
  ) -> Subscription {
    let signal = signal
    return Signal<Value>.staged { [weak root] stage in
      stage.connect(to: signal) { if root != nil { stage.send($0) } else { stage.finish() } }
    }.sink { [weak root] in root?[keyPath: keyPath] = $0 }
  }
}
