extension SignalOperators where Self: SignalConvertible {
  /// Writes each value to a property of a store.
  ///
  ///     combineLatest(store.publisher.givenName, store.publisher.familyName)
  ///       .map { "\($0) \($1)" }
  ///       .assign(to: \.fullName, using: store)
  ///
  /// From when a value comes from a redacted part, the property appears in no text either (D6).
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - store: the store that the hook received. It is not kept alive.
  ///   - forceUpdate: notifies the observers of this path and of the paths around it even if the
  ///     value is equal (S6).
  /// - Returns: the subscription that ends the assignments.
  public func assign<Root, Action>(
    to keyPath: WritableKeyPath<Root, Value>, using store: MutatingStore<Root, Action>,
    forceUpdate: Bool = false
  ) -> Subscription {
    carry(to: keyPath) { store.set(keyPath, $0, forceUpdate: forceUpdate) }
  }

  /// Writes each value with a closure, and hides the property from texts once a value was hidden.
  package func carry<Root>(
    to keyPath: WritableKeyPath<Root, Value>, _ write: @escaping @MainActor (Value) -> Void
  ) -> Subscription {
    carry(isTransformed: false) { value, isHidden in
      if isHidden { Redaction.carry(to: keyPath) }
      write(value)
    }
  }

  /// Turns each value into an action and dispatches it.
  ///
  /// From when a value comes from a redacted part, no text shows the payloads of actions of the
  /// same case (D6).
  public func assign<Root, Action>(
    toAction action: @escaping @MainActor (Value) -> Action,
    using store: MutatingStore<Root, Action>
  ) -> Subscription {
    carry(isTransformed: true) { value, isHidden in
      let action = action(value)
      if isHidden { Redaction.carry(toMessage: action) }
      store.dispatch(action)
    }
  }

  /// Dispatches an action for each value.
  public func assign<Root, Action>(
    toAction action: Action, using store: MutatingStore<Root, Action>
  ) -> Subscription {
    sink { _ in store.dispatch(action) }
  }
}
