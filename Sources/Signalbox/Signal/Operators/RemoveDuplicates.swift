extension SignalOperators where Self: SignalConvertible {
  /// Drops values that equal the last value that passed.
  ///
  /// For a state signal, the result is a state signal. Its first value is compared with the value
  /// that was current when the subscriber subscribed. The first value of an event signal always
  /// passes.
  public func removeDuplicates() -> Signal<Value> where Value: Equatable {
    let equality = Equality<Value>()
    return removeDuplicates(by: { equality.areEqual($0, $1) })
  }

  /// Drops values that a closure considers equal to the last value that passed.
  ///
  /// - Parameter areEqual: is called with the last value that passed and the new value.
  public func removeDuplicates(
    by areEqual: @escaping @MainActor (Value, Value) -> Bool
  ) -> Signal<Value> {
    let signal = signal
    if let derivation = signal.derivation {
      return Signal(derivation.removeDuplicates(by: areEqual))
    }
    return Signal.direct { subscriber in
      var last: Value?
      return signal.attach(
        subscriber.pullback { value in
          if let last, areEqual(last, value) { return }
          // Exchanged, because the `deinit` of the old value may call back into this closure.
          _ = exchange(&last, with: value)
          subscriber.receive(value)
        })
    }
  }
}

extension Derivation {
  fileprivate func removeDuplicates(
    by areEqual: @escaping @MainActor (Value, Value) -> Bool
  ) -> Derivation {
    Derivation { watcher, attachment in
      let input = build(watcher, attachment)
      var last = input.value(.now)
      return DerivationInstance(
        value: { _ in last },
        change: { receive in
          input.change { value in
            if areEqual(last, value) { return }
            _ = exchange(&last, with: value)
            receive(value)
          }
        })
    }
  }
}
