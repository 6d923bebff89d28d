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
    testStore(store.child(keyPath, feature), in: keyPath, { $0 }, set: { $0 = $1 })
  }

  /// The test store of a child at an optional property; `nil` while there is no value.
  public func child<F: Feature>(
    _ keyPath: KeyPath<State, F.State?>, _ feature: F.Type
  ) -> TestStore<F.State, F.Action>? where F.State: Equatable {
    store.child(keyPath, feature).map {
      testStore($0, in: keyPath, { $0 }, set: { $0 = $1 })
    }
  }

  /// The test store of a child in a case of an enum; `nil` while there is another case (C12).
  public func child<Enum, F: Feature>(
    case keyPath: KeyPath<State, Enum>, _ enumCase: @escaping (F.State) -> Enum,
    _ feature: F.Type
  ) -> TestStore<F.State, F.Action>? where F.State: Equatable {
    store.child(case: keyPath, enumCase, feature).map {
      testStore($0, in: keyPath, { payload(of: $0, in: enumCase) }, set: { $0 = enumCase($1) })
    }
  }

  /// The test store of the child of a screen of a path; `nil` if there is no such index or it shows
  /// another case (N2).
  public func child<Screen, F: Feature>(
    _ keyPath: KeyPath<State, [Screen]>, at index: Int, _ feature: F.Type
  ) -> TestStore<F.State, F.Action>? where F.State: Equatable {
    store.screen(keyPath, at: index, feature).map { child, enumCase in
      testStore(child, in: keyPath) {
        $0.indices.contains(index) ? payload(of: $0[index], in: enumCase) : nil
      } set: {
        $0[index] = enumCase($1)
      }
    }
  }

  /// The test store of the child of an element of an array; `nil` if no element has the id.
  public func child<F: Feature>(
    _ keyPath: KeyPath<State, [F.State]>, id: F.State.ID, _ feature: F.Type
  ) -> TestStore<F.State, F.Action>? where F.State: Equatable & Identifiable {
    // Where the element was last, because a recorder looks for it in the states of all events.
    var last = 0
    func index(in all: [F.State]) -> Int? {
      if all.indices.contains(last), all[last].id == id { return last }
      guard let found = all.firstIndex(where: { $0.id == id }) else { return nil }
      last = found
      return found
    }
    return store.child(keyPath, id: id, feature).map {
      testStore($0, in: keyPath) { all in
        index(in: all).map { all[$0] }
      } set: { all, state in
        if let index = index(in: all) { all[index] = state }
      }
    }
  }

  /// The test store of the child of a value of a dictionary; `nil` if there is no such key.
  public func child<ID: Hashable, F: Feature>(
    _ keyPath: KeyPath<State, [ID: F.State]>, id: ID, _ feature: F.Type
  ) -> TestStore<F.State, F.Action>? where F.State: Equatable {
    store.child(keyPath, id: id, feature).map {
      testStore($0, in: keyPath, { $0[id] }, set: { $0[id] = $1 })
    }
  }
}
