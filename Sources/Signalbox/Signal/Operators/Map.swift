extension SignalOperators where Self: SignalConvertible {
  /// Transforms each value.
  ///
  /// The `map` of a state signal is a state signal, so it can be combined without glitches (S7). It
  /// delivers every change, even one that leaves the result equal. Add `removeDuplicates()` to
  /// receive only results that differ.
  ///
  /// - Parameter transform: should depend only on its argument.
  public func map<T>(_ transform: @escaping @MainActor (Value) -> T) -> Signal<T> {
    let signal = signal
    if let derivation = signal.derivation { return Signal(derivation.map(transform)) }
    return Signal<T>.direct { subscriber in
      subscriber.attachment?.addTransformation()
      return signal.attach(subscriber.pullback { subscriber.receive(transform($0)) })
    }
  }
}

extension Derivation {
  fileprivate func map<T>(_ transform: @escaping @MainActor (Value) -> T) -> Derivation<T> {
    Derivation<T> { watcher, attachment in
      attachment?.addTransformation()
      let input = build(watcher, attachment)
      return DerivationInstance(
        value: { transform(input.value($0)) },
        change: { receive in input.change { receive(transform($0)) } })
    }
  }
}
