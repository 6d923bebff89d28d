extension SignalConvertible {
  /// Writes each value to a property of a store.
  ///
  ///     combineLatest(store.publisher.givenName, store.publisher.familyName)
  ///       .map { "\($0) \($1)" }
  ///       .assign(to: \.fullName, using: store)
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
    sink { store.set(keyPath, $0, forceUpdate: forceUpdate) }
  }

  /// Turns each value into an action and dispatches it.
  public func assign<Root, Action>(
    toAction action: @escaping @MainActor (Value) -> Action,
    using store: MutatingStore<Root, Action>
  ) -> Subscription {
    sink { store.dispatch(action($0)) }
  }

  /// Dispatches an action for each value.
  public func assign<Root, Action>(
    toAction action: Action, using store: MutatingStore<Root, Action>
  ) -> Subscription {
    sink { _ in store.dispatch(action) }
  }
}
