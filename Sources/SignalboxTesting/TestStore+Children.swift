public import Signalbox

/// The test stores of the children of a store under test, whose states must be `Equatable` (T12).
///
///     let row = try #require(store.child(\.rows, id: 1, RowFeature.self))
///     row.send(.star)
///     await stars.reply(with: true)
///     row.expect { $0.isStarred = true }
///
/// A child's test store belongs to that of the parent, which it keeps. What one of them has asserted is
/// asserted for both, and both are exhaustive or neither is. Each method returns the same test store as
/// long as it is kept. A child whose state has gone keeps its last value, and what is sent to it does
/// nothing (C6). A child that the interactor of the store does not declare traps.
extension TestStore {
  /// The test store of a child at a property of the state.
  public func child<I: Interactor>(
    _ keyPath: KeyPath<State, I.State>, _ interactor: I.Type
  ) -> TestStore<I.State, I.Action> where I.State: Equatable {
    testStore(
      store.child(keyPath, interactor), at: .property(keyPath),
      hooks: (I.Hook.self, I.hooks.map { "\($0)" }))
  }

  /// The test store of a child at an optional property; `nil` while there is no value.
  public func child<I: Interactor>(
    _ keyPath: KeyPath<State, I.State?>, _ interactor: I.Type
  ) -> TestStore<I.State, I.Action>? where I.State: Equatable {
    store.child(keyPath, interactor).map {
      testStore($0, at: .optional(keyPath), hooks: (I.Hook.self, I.hooks.map { "\($0)" }))
    }
  }

  /// The test store of a child in a case of an enum; `nil` while there is another case (C12).
  public func child<Enum, I: Interactor>(
    case keyPath: KeyPath<State, Enum>, _ enumCase: @escaping (I.State) -> Enum,
    _ interactor: I.Type
  ) -> TestStore<I.State, I.Action>? where I.State: Equatable {
    store.child(case: keyPath, enumCase, interactor).map {
      testStore($0, at: .enumCase(keyPath, enumCase), hooks: (I.Hook.self, I.hooks.map { "\($0)" }))
    }
  }

  /// The test store of the child of an element of an array; `nil` if no element has the id.
  public func child<I: Interactor>(
    _ keyPath: KeyPath<State, [I.State]>, id: I.State.ID, _ interactor: I.Type
  ) -> TestStore<I.State, I.Action>? where I.State: Equatable & Identifiable {
    store.child(keyPath, id: id, interactor).map {
      testStore($0, at: .element(keyPath, id), hooks: (I.Hook.self, I.hooks.map { "\($0)" }))
    }
  }

  /// The test store of the child of a value of a dictionary; `nil` if there is no such key.
  public func child<ID: Hashable, I: Interactor>(
    _ keyPath: KeyPath<State, [ID: I.State]>, id: ID, _ interactor: I.Type
  ) -> TestStore<I.State, I.Action>? where I.State: Equatable {
    store.child(keyPath, id: id, interactor).map {
      testStore($0, at: .value(keyPath, id), hooks: (I.Hook.self, I.hooks.map { "\($0)" }))
    }
  }

  /// The test store of a child with a transducer at a property of the state.
  public func child<T: Transducer>(
    _ keyPath: KeyPath<State, T.State>, transducer: T.Type
  ) -> TestStore<T.State, T.Event> where T.State: Equatable {
    testStore(store.child(keyPath, transducer: transducer), at: .property(keyPath))
  }

  /// The test store of a child with a transducer at an optional property; `nil` without a value.
  public func child<T: Transducer>(
    _ keyPath: KeyPath<State, T.State?>, transducer: T.Type
  ) -> TestStore<T.State, T.Event>? where T.State: Equatable {
    store.child(keyPath, transducer: transducer).map { testStore($0, at: .optional(keyPath)) }
  }

  /// The test store of a child with a transducer in a case of an enum; `nil` in another case (C12).
  public func child<Enum, T: Transducer>(
    case keyPath: KeyPath<State, Enum>, _ enumCase: @escaping (T.State) -> Enum,
    transducer: T.Type
  ) -> TestStore<T.State, T.Event>? where T.State: Equatable {
    store.child(case: keyPath, enumCase, transducer: transducer).map {
      testStore($0, at: .enumCase(keyPath, enumCase))
    }
  }

  /// The test store of an element of an array with a transducer; `nil` if no element has the id.
  public func child<T: Transducer>(
    _ keyPath: KeyPath<State, [T.State]>, id: T.State.ID, transducer: T.Type
  ) -> TestStore<T.State, T.Event>? where T.State: Equatable & Identifiable {
    store.child(keyPath, id: id, transducer: transducer).map {
      testStore($0, at: .element(keyPath, id))
    }
  }

  /// The test store of a value of a dictionary with a transducer; `nil` if there is no such key.
  public func child<ID: Hashable, T: Transducer>(
    _ keyPath: KeyPath<State, [ID: T.State]>, id: ID, transducer: T.Type
  ) -> TestStore<T.State, T.Event>? where T.State: Equatable {
    store.child(keyPath, id: id, transducer: transducer).map {
      testStore($0, at: .value(keyPath, id))
    }
  }
}
