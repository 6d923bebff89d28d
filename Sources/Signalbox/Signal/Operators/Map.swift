extension SignalConvertible {
  /// Transforms each value.
  ///
  /// A state signal stays one: `map` of a key path publisher can be combined without glitches
  /// (S7). It passes on every change, also one that makes no difference to the result; add
  /// `removeDuplicates()` to have only those that do.
  ///
  /// - Parameter transform: should depend on nothing but its argument.
  public func map<T>(_ transform: @escaping @MainActor (Value) -> T) -> Signal<T> {
    let signal = signal
    if let derivation = signal.derivation { return Signal(derivation.map(transform)) }
    return Signal<T>.direct({ subscriber in
      Propagation.readPaths?.append(ReadPaths.transformation)
      return signal.attach(subscriber.pullback { subscriber.receive(transform($0)) })
    })
  }
}

extension Derivation {
  fileprivate func map<T>(_ transform: @escaping @MainActor (Value) -> T) -> Derivation<T> {
    Derivation<T> { watcher in
      Propagation.readPaths?.append(ReadPaths.transformation)
      let input = build(watcher)
      return Derived(
        value: { transform(input.value($0)) },
        change: { receive in input.change { receive(transform($0)) } })
    }
  }
}
