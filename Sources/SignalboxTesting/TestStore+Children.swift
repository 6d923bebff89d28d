public import Signalbox

/// The children of a store under test, whose work and changes belong to the store (C9).
extension TestStore {
  /// A child at a property of the state.
  ///
  ///     let settings = store.child(\.settings, Settings.self)
  ///     await settings.dispatch(.reset)
  ///     store.expect { $0.settings = SettingsState() }
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - interactor: the type of its interactor. A child that the store's interactor does not declare
  ///     traps.
  public func child<I: Interactor>(
    _ keyPath: KeyPath<State, I.State>, _ interactor: I.Type
  ) -> Store<I.State, I.Action> {
    store.child(keyPath, interactor)
  }

  /// A child at an optional property of the state; `nil` while there is no value.
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - interactor: the type of its interactor. A child that the store's interactor does not declare
  ///     traps.
  public func child<I: Interactor>(
    _ keyPath: KeyPath<State, I.State?>, _ interactor: I.Type
  ) -> Store<I.State, I.Action>? {
    store.child(keyPath, interactor)
  }

  /// The child of an element of an array; `nil` if no element has the id.
  ///
  /// - Parameters:
  ///   - keyPath: the array.
  ///   - id: the id of the element.
  ///   - interactor: the type of its interactor. A child that the store's interactor does not declare
  ///     traps.
  public func child<I: Interactor>(
    _ keyPath: KeyPath<State, [I.State]>, id: I.State.ID, _ interactor: I.Type
  ) -> Store<I.State, I.Action>? where I.State: Identifiable {
    store.child(keyPath, id: id, interactor)
  }

  /// The child of a value of a dictionary; `nil` if there is no such key.
  ///
  /// - Parameters:
  ///   - keyPath: the dictionary.
  ///   - id: the key.
  ///   - interactor: the type of its interactor. A child that the store's interactor does not declare
  ///     traps.
  public func child<ID: Hashable, I: Interactor>(
    _ keyPath: KeyPath<State, [ID: I.State]>, id: ID, _ interactor: I.Type
  ) -> Store<I.State, I.Action>? {
    store.child(keyPath, id: id, interactor)
  }
}

/// The children whose events a transducer handles.
extension TestStore {
  /// A child at a property of the state, whose events a transducer handles (C10).
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  public func child<T: Transducer>(
    _ keyPath: KeyPath<State, T.State>, transducer: T.Type
  ) -> Store<T.State, T.Event> {
    store.child(keyPath, transducer: transducer)
  }

  /// A child at an optional property of the state; `nil` while there is no value (C4).
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  public func child<T: Transducer>(
    _ keyPath: KeyPath<State, T.State?>, transducer: T.Type
  ) -> Store<T.State, T.Event>? {
    store.child(keyPath, transducer: transducer)
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
    store.child(keyPath, id: id, transducer: transducer)
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
    store.child(keyPath, id: id, transducer: transducer)
  }
}
