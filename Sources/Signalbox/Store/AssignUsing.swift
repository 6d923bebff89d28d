extension SignalConvertible {
  /// Writes each value to a property of a store.
  ///
  ///     combineLatest(store.publisher.givenName, store.publisher.familyName)
  ///       .map { "\($0) \($1)" }
  ///       .assign(to: \.fullName, using: store)
  ///
  /// - Parameters:
  ///   - keyPath: where to.
  ///   - store: the store that the hook was given; it is not kept alive.
  ///   - forceUpdate: tells the observers also when the value is equal to the one there (S6).
  public func assign<Root, Action>(
    to keyPath: WritableKeyPath<Root, Value>, using store: MutatingStore<Root, Action>,
    forceUpdate: Bool = false
  ) -> Subscription {
    sink { store.set(keyPath, $0, forceUpdate: forceUpdate) }
  }

  /// Makes an action of each value and dispatches it.
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
