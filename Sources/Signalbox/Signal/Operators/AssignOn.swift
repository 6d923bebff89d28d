extension SignalConvertible {
  /// Writes each value to a property of an object, which is held weakly (S13).
  ///
  ///     store.publisher.title.assign(to: \.text, on: label)
  ///
  /// When the object is gone the subscription ends with the next value. Made in a hook, the
  /// assignment is the hook's, as that of any sink is (H2, H3).
  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Value>, on root: Root
  ) -> Subscription {
    let signal = signal
    return Signal<Value>.direct({ [weak root] subscriber in
      let stage = Stage(subscriber)
      stage.connect(to: signal) { value in
        if root != nil { stage.send(value) } else { stage.finish() }
      }
      return stage.subscription
    }).sink { [weak root] in root?[keyPath: keyPath] = $0 }
  }
}
