/// A store that gives its children: a `Store` or a `MutatingStore`.
///
/// The functions have a condition, which all stores meet. For members that have a condition, Swift
/// also looks for a property of the state. So `store.child = nil` writes the property `child` of a
/// state that has one.
///
/// A function takes the key path of the child's state, or of what contains it, and the child's
/// interactor or transducer. A child that the store's interactor does not declare traps. Code that the
/// Observation framework tracks, such as a view's body, is notified when another child of a `Store` is
/// there (M5). It gets no child that a pending change hides (O3).
@MainActor public protocol ParentStore {
  /// The type of the state.
  associatedtype State
  /// The type of the actions.
  associatedtype Action
  /// Finds the children, for the library alone.
  var _parent: ParentAccess<State, Action> { get }
}

/// Finds the children of a store for the functions of `ParentStore`.
@MainActor public struct ParentAccess<State, Action> {
  let scope: Scope<State, Action>
  /// Whether the Observation framework tracks which children there are (M5).
  let tracks: Bool

  var engine: Engine<State, Action> { scope.engine }
}

extension Store: ParentStore {
  /// Finds the children, for the library alone.
  public var _parent: ParentAccess<State, Action> { ParentAccess(scope: scope, tracks: true) }
}

extension MutatingStore: ParentStore {
  /// Finds the children, for the library alone.
  public var _parent: ParentAccess<State, Action> {
    ParentAccess(scope: scope.current, tracks: false)
  }
}

extension ParentStore where Self: Sendable {
  /// A child at a property of the state (C1).
  ///
  ///     let settings = store.child(\.settings, Settings.self)
  ///
  /// The child is a store that shares the state of its parent. Releasing it ends nothing (C6). When
  /// the action or the run that has asked for a child is cancelled or superseded, nothing that is done
  /// through it reaches the child any more (A6). In an action that was cancelled before, the child has
  /// the state that the action sees. A child that the store's interactor does not declare traps.
  public func child<F: Feature>(
    _ keyPath: KeyPath<State, F.State>, _ feature: F.Type
  ) -> Store<F.State, F.Action> {
    _parent.engine.child(keyPath, F.self, for: _parent.scope)
  }

  /// A child at an optional property of the state; `nil` while there is no value (C4).
  ///
  /// A store of a child that is gone keeps its last value, and what is dispatched to it does nothing
  /// (C6).
  public func child<F: Feature>(
    _ keyPath: KeyPath<State, F.State?>, _ feature: F.Type
  ) -> Store<F.State, F.Action>? {
    let parent = _parent
    parent.track(keyPath, F.self)
    return parent.engine.child(
      keyPath, F.self, OnlyID?.none, for: parent.scope, asShown: parent.isTracked)
  }

  /// A child in a case of an enum; `nil` while the property has another case (C12).
  ///
  /// The case is written as it was declared, as in `Route.session`.
  public func child<Enum, F: Feature>(
    case keyPath: KeyPath<State, Enum>, _ enumCase: @escaping (F.State) -> Enum,
    _ feature: F.Type
  ) -> Store<F.State, F.Action>? {
    let parent = _parent
    parent.track(case: keyPath)
    return parent.engine.child(
      case: keyPath, enumCase, F.self, for: parent.scope, asShown: parent.isTracked)
  }

  /// The child of a screen of a path; `nil` if there is no such index or it shows another case (N2).
  public func child<Screen, F: Feature>(
    _ keyPath: KeyPath<State, [Screen]>, at index: Int, _ feature: F.Type
  ) -> Store<F.State, F.Action>? {
    let parent = _parent
    parent.track(path: keyPath)
    return parent.engine.screen(keyPath, at: index, F.self, for: parent.scope)?.child
  }

  /// The child of an element of an array; `nil` if no element has the id.
  ///
  /// A body tracks the ids of the array. While it does, each commit compares them.
  public func child<F: Feature>(
    _ keyPath: KeyPath<State, [F.State]>, id: F.State.ID, _ feature: F.Type
  ) -> Store<F.State, F.Action>? where F.State: Identifiable {
    let parent = _parent
    parent.track(keyPath)
    return parent.engine.child(keyPath, F.self, id, for: parent.scope, asShown: parent.isTracked)
  }

  /// The child of a value of a dictionary; `nil` if there is no such key.
  ///
  /// A body tracks the keys of the dictionary. While it does, each commit compares them.
  public func child<ID: Hashable, F: Feature>(
    _ keyPath: KeyPath<State, [ID: F.State]>, id: ID, _ feature: F.Type
  ) -> Store<F.State, F.Action>? {
    let parent = _parent
    parent.track(keyPath)
    return parent.engine.child(keyPath, F.self, id, for: parent.scope, asShown: parent.isTracked)
  }
}

extension Engine {
  /// A child that lives as long as this store.
  func child<F: Feature>(
    _ keyPath: KeyPath<State, F.State>, _ feature: F.Type, for scope: Scope<State, Action>
  ) -> Store<F.State, F.Action> {
    if scope.isCurrent,
      let site = sites(keyPath, F.self).first as? FixedSite<State, F.State, F.Action>,
      let record = site.begun
    {
      return record.store(for: scope)
    }
    guard !scope.isCurrent || isClosed else { trapUndeclared(keyPath, F.self) }
    return Store(inert: scope.storage.read(keyPath))
  }

  /// A child whose state comes and goes; without an id, the only one.
  func child<F: Feature, ID: Hashable, C>(
    _ keyPath: KeyPath<State, C>, _ feature: F.Type, _ id: ID?, for scope: Scope<State, Action>,
    asShown: Bool
  ) -> Store<F.State, F.Action>? {
    guard scope.isCurrent, !isClosed else { return nil }
    // Whether the state is there is a part of the state.
    scope.storage.checkRead()
    guard let site = sites(keyPath, F.self).first as? MovingSite<State, ID, F.State, F.Action>
    else {
      trapUndeclared(keyPath, F.self)
    }
    return site.begun(id, asShown: asShown)?.store(for: scope)
  }

  func identity<F: Feature>(
    of keyPath: KeyPath<State, F.State?>, _ feature: F.Type
  ) -> ChildIdentity<F.State>? {
    (sites(keyPath, F.self).first as? MovingSite<State, OnlyID, F.State, F.Action>)?.identityOfOnly
  }

  /// The sites that are declared at a property with a feature.
  func sites<C>(_ keyPath: KeyPath<State, C>, _ feature: Any.Type) -> [ChildSite<State>] {
    let key = ChildSite<State>.Key(path: StatePath(keyPath), type: ObjectIdentifier(feature))
    return children.filter { $0.key == key }
  }

  private func trapUndeclared(_ keyPath: AnyKeyPath, _ type: Any.Type) -> Never {
    fatalError(
      """
      child(\(ChildPath(keyPath).property), \(type).self): the interactor of this store declares no such child. Add it \
      to children(of:) of the interactor, as in `Child(\(ChildPath(keyPath).property)) { \(type)() }` or \
      `Each(\(ChildPath(keyPath).property)) { id in \(type)() }`. A child of a child is one of that child's store.
      """)
  }
}

extension Store {
  /// Makes a handle to a child, whose release ends nothing (C6).
  convenience init(handleTo engine: Engine<State, Action>, _ scope: Scope<State, Action>) {
    self.init(engine, scope, isHandle: true)
  }

  /// Makes a store that only has a state.
  convenience init(inert state: State) {
    let engine = Engine<State, Action>(state: state, handler: nil, name: nil)
    engine.close()
    self.init(engine, StoreScope(in: engine), isHandle: true)
  }
}
