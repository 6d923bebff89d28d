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
/// nothing (C6). A child that replaces it has a test store of its own. A child that the interactor of
/// the store does not declare traps.
extension TestStore {
  /// The test store of a child at a property of the state.
  public func child<F: Feature>(
    _ keyPath: KeyPath<State, F.State>, _ feature: F.Type
  ) -> TestStore<F.State, F.Action> where F.State: Equatable {
    testStore(store.child(keyPath, feature), at: .property(keyPath))
  }

  /// The test store of a child at an optional property; `nil` while there is no value.
  public func child<F: Feature>(
    _ keyPath: KeyPath<State, F.State?>, _ feature: F.Type
  ) -> TestStore<F.State, F.Action>? where F.State: Equatable {
    store.child(keyPath, feature).map {
      testStore($0, at: .optional(keyPath))
    }
  }

  /// The test store of a child in a case of an enum; `nil` while there is another case (C12).
  public func child<Enum, F: Feature>(
    case keyPath: KeyPath<State, Enum>, _ enumCase: @escaping (F.State) -> Enum,
    _ feature: F.Type
  ) -> TestStore<F.State, F.Action>? where F.State: Equatable {
    store.child(case: keyPath, enumCase, feature).map {
      testStore($0, at: .enumCase(keyPath, enumCase))
    }
  }

  /// The test store of the child of a screen of a path; `nil` if there is no such index or it shows
  /// another case (N2).
  public func child<Screen, F: Feature>(
    _ keyPath: KeyPath<State, [Screen]>, at index: Int, _ feature: F.Type
  ) -> TestStore<F.State, F.Action>? where F.State: Equatable {
    store.screen(keyPath, at: index, feature).map {
      testStore($0.child, at: .screen(keyPath, index, $0.enumCase))
    }
  }

  /// The test store of the child of an element of an array; `nil` if no element has the id.
  public func child<F: Feature>(
    _ keyPath: KeyPath<State, [F.State]>, id: F.State.ID, _ feature: F.Type
  ) -> TestStore<F.State, F.Action>? where F.State: Equatable & Identifiable {
    store.child(keyPath, id: id, feature).map {
      testStore($0, at: .element(keyPath, id))
    }
  }

  /// The test store of the child of a value of a dictionary; `nil` if there is no such key.
  public func child<ID: Hashable, F: Feature>(
    _ keyPath: KeyPath<State, [ID: F.State]>, id: ID, _ feature: F.Type
  ) -> TestStore<F.State, F.Action>? where F.State: Equatable {
    store.child(keyPath, id: id, feature).map {
      testStore($0, at: .value(keyPath, id))
    }
  }
}
