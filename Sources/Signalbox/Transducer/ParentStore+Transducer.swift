extension ParentStore where Self: Sendable {
  /// A child at a property of the state, whose events a transducer handles (C10).
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  public func child<T: Transducer>(
    _ keyPath: KeyPath<State, T.State>, transducer: T.Type
  ) -> Store<T.State, T.Event> {
    _parent.engine.child(keyPath, T.self, for: _parent.scope)
  }

  /// A child at an optional property of the state; `nil` while there is no value (C4).
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  public func child<T: Transducer>(
    _ keyPath: KeyPath<State, T.State?>, transducer: T.Type
  ) -> Store<T.State, T.Event>? {
    _parent.engine.child(keyPath, T.self, OnlyID?.none, for: _parent.scope)
  }

  /// A child in a case of an enum; `nil` while the property has another case (C12).
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - enumCase: the case, as it was declared.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  public func child<Enum, T: Transducer>(
    case keyPath: KeyPath<State, Enum>, _ enumCase: @escaping (T.State) -> Enum, transducer: T.Type
  ) -> Store<T.State, T.Event>? {
    _parent.engine.child(case: keyPath, enumCase, T.self, for: _parent.scope)
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
    _parent.engine.child(keyPath, T.self, id, for: _parent.scope)
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
    _parent.engine.child(keyPath, T.self, id, for: _parent.scope)
  }
}
