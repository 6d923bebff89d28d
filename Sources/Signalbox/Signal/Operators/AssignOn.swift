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
    return Signal<Value>.direct { [weak root] subscriber in
      let stage = Stage(subscriber)
      stage.connect(to: signal) { value in
        if root != nil { stage.send(value) } else { stage.finish() }
      }
      return stage.subscription
    }.sink { [weak root] in root?[keyPath: keyPath] = $0 }
  }
}
