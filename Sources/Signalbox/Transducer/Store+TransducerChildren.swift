extension Store {
  /// A child at a property of the state, whose events a transducer handles (C10).
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  public func child<T: Transducer>(
    _ keyPath: KeyPath<State, T.State>, transducer: T.Type
  ) -> Store<T.State, T.Event> {
    engine.child(keyPath, T.self, for: scope)
  }

  /// A child at an optional property of the state; `nil` while there is no value (C4).
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  public func child<T: Transducer>(
    _ keyPath: KeyPath<State, T.State?>, transducer: T.Type
  ) -> Store<T.State, T.Event>? {
    engine.child(keyPath, T.self, OnlyID(), for: scope)
  }

  /// The child of an element of an array; `nil` if no element has the id.
  ///
  /// - Parameters:
  ///   - keyPath: the array.
  ///   - id: the id of the element.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  public func child<T: Transducer>(
    _ keyPath: KeyPath<State, [T.State]>, id: T.State.ID, transducer: T.Type
  ) -> Store<T.State, T.Event>? where T.State: Identifiable {
    engine.child(keyPath, T.self, id, for: scope)
  }

  /// The child of a value of a dictionary; `nil` if there is no such key.
  ///
  /// - Parameters:
  ///   - keyPath: the dictionary.
  ///   - id: the key.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  public func child<ID: Hashable, T: Transducer>(
    _ keyPath: KeyPath<State, [ID: T.State]>, id: ID, transducer: T.Type
  ) -> Store<T.State, T.Event>? {
    engine.child(keyPath, T.self, id, for: scope)
  }
}

extension MutatingStore {
  /// A child at a property of the state, whose events a transducer handles (C10).
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  public func child<T: Transducer>(
    _ keyPath: KeyPath<State, T.State>, transducer: T.Type
  ) -> Store<T.State, T.Event> {
    scope.engine.child(keyPath, T.self, for: scope)
  }

  /// A child at an optional property of the state; `nil` while there is no value (C4).
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  public func child<T: Transducer>(
    _ keyPath: KeyPath<State, T.State?>, transducer: T.Type
  ) -> Store<T.State, T.Event>? {
    scope.engine.child(keyPath, T.self, OnlyID(), for: scope)
  }

  /// The child of an element of an array; `nil` if no element has the id.
  ///
  /// - Parameters:
  ///   - keyPath: the array.
  ///   - id: the id of the element.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  public func child<T: Transducer>(
    _ keyPath: KeyPath<State, [T.State]>, id: T.State.ID, transducer: T.Type
  ) -> Store<T.State, T.Event>? where T.State: Identifiable {
    scope.engine.child(keyPath, T.self, id, for: scope)
  }

  /// The child of a value of a dictionary; `nil` if there is no such key.
  ///
  /// - Parameters:
  ///   - keyPath: the dictionary.
  ///   - id: the key.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  public func child<ID: Hashable, T: Transducer>(
    _ keyPath: KeyPath<State, [ID: T.State]>, id: ID, transducer: T.Type
  ) -> Store<T.State, T.Event>? {
    scope.engine.child(keyPath, T.self, id, for: scope)
  }
}
