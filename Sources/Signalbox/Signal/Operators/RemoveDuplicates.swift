extension SignalConvertible {
  /// Drops values equal to the one before.
  ///
  /// A state signal stays one, and its first value is compared with the current value at the time
  /// of subscribing. Of an event signal the first value always passes.
  public func removeDuplicates() -> Signal<Value> where Value: Equatable {
    let equality = Equality<Value>()
    return removeDuplicates(by: { equality.areEqual($0, $1) })
  }

  /// Drops values that a predicate holds to be equal to the last one that passed.
  ///
  /// - Parameter areEqual: is asked with the last value that passed, then the new one.
  public func removeDuplicates(
    by areEqual: @escaping @MainActor (Value, Value) -> Bool
  ) -> Signal<Value> {
    let signal = signal
    if let derivation = signal.derivation {
      return Signal(derivation.removeDuplicates(by: areEqual))
    }
    return Signal.direct({ subscriber in
      var last: Value?
      return signal.attach(
        subscriber.pullback { value in
          if let last, areEqual(last, value) { return }
          // Released when the new one is in place: its `deinit` may come back here.
          _ = exchange(&last, with: value)
          subscriber.receive(value)
        })
    })
  }
}

extension Derivation {
  fileprivate func removeDuplicates(
    by areEqual: @escaping @MainActor (Value, Value) -> Bool
  ) -> Derivation {
    Derivation { watcher in
      let input = build(watcher)
      var last = input.value(.now)
      return Derived(
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
