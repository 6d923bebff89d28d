extension SignalConvertible {
  /// Writes each value to a property of an object, which is held weakly (S13).
  ///
  ///     store.publisher.title.assign(to: \.text, on: label)
  ///
  /// When the object is gone the subscription ends with the next value.
  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Value>, on root: Root
  ) -> Subscription {
    let signal = signal
    return Signal<Value>.direct({ [weak root] subscriber in
      let stage = Stage(subscriber)
      stage.connect(to: signal) { value in
        if let root { root[keyPath: keyPath] = value } else { stage.finish() }
      }
      return stage.subscription
    }).sink { _ in }
  }
}
