public import Signalbox

/// The children of a store under test, whose work and changes belong to the store (C9).
///
/// What goes wrong because of what a test does through a handle is a failure at the line that has asked
/// for the handle.
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
  ///   - fileID: the source location of the call, together with the parameters below.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func child<I: Interactor>(
    _ keyPath: KeyPath<State, I.State>, _ interactor: I.Type,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Store<I.State, I.Action> {
    willCall(from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    return store.child(keyPath, interactor)
  }

  /// A child at an optional property of the state; `nil` while there is no value.
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - interactor: the type of its interactor. A child that the store's interactor does not declare
  ///     traps.
  ///   - fileID: the source location of the call, together with the parameters below.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func child<I: Interactor>(
    _ keyPath: KeyPath<State, I.State?>, _ interactor: I.Type,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Store<I.State, I.Action>? {
    willCall(from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    return store.child(keyPath, interactor)
  }

  /// The child of an element of an array; `nil` if no element has the id.
  ///
  /// - Parameters:
  ///   - keyPath: the array.
  ///   - id: the id of the element.
  ///   - interactor: the type of its interactor. A child that the store's interactor does not declare
  ///     traps.
  ///   - fileID: the source location of the call, together with the parameters below.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func child<I: Interactor>(
    _ keyPath: KeyPath<State, [I.State]>, id: I.State.ID, _ interactor: I.Type,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Store<I.State, I.Action>? where I.State: Identifiable {
    willCall(from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    return store.child(keyPath, id: id, interactor)
  }

  /// The child of a value of a dictionary; `nil` if there is no such key.
  ///
  /// - Parameters:
  ///   - keyPath: the dictionary.
  ///   - id: the key.
  ///   - interactor: the type of its interactor. A child that the store's interactor does not declare
  ///     traps.
  ///   - fileID: the source location of the call, together with the parameters below.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func child<ID: Hashable, I: Interactor>(
    _ keyPath: KeyPath<State, [ID: I.State]>, id: ID, _ interactor: I.Type,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Store<I.State, I.Action>? {
    willCall(from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    return store.child(keyPath, id: id, interactor)
  }
}

/// The children whose events a transducer handles.
extension TestStore {
  /// A child at a property of the state, whose events a transducer handles (C10).
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  ///   - fileID: the source location of the call, together with the parameters below.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func child<T: Transducer>(
    _ keyPath: KeyPath<State, T.State>, transducer: T.Type,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Store<T.State, T.Event> {
    willCall(from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    return store.child(keyPath, transducer: transducer)
  }

  /// A child at an optional property of the state; `nil` while there is no value (C4).
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  ///   - fileID: the source location of the call, together with the parameters below.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func child<T: Transducer>(
    _ keyPath: KeyPath<State, T.State?>, transducer: T.Type,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Store<T.State, T.Event>? {
    willCall(from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    return store.child(keyPath, transducer: transducer)
  }

  /// The child of an element of an array; `nil` if no element has the id.
  ///
  /// - Parameters:
  ///   - keyPath: the array.
  ///   - id: the id of the element.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  ///   - fileID: the source location of the call, together with the parameters below.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func child<T: Transducer>(
    _ keyPath: KeyPath<State, [T.State]>, id: T.State.ID, transducer: T.Type,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Store<T.State, T.Event>? where T.State: Identifiable {
    willCall(from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    return store.child(keyPath, id: id, transducer: transducer)
  }

  /// The child of a value of a dictionary; `nil` if there is no such key.
  ///
  /// - Parameters:
  ///   - keyPath: the dictionary.
  ///   - id: the key.
  ///   - transducer: the transducer. A child that the store's interactor does not declare traps.
  ///   - fileID: the source location of the call, together with the parameters below.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func child<ID: Hashable, T: Transducer>(
    _ keyPath: KeyPath<State, [ID: T.State]>, id: ID, transducer: T.Type,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Store<T.State, T.Event>? {
    willCall(from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    return store.child(keyPath, id: id, transducer: transducer)
  }
}
