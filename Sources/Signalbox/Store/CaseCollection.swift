/// The payload of an enum case at a property (C12).
final class CaseCollection<Owner, Enum, State>: ChildCollection<Owner, CaseID, State> {
  private let enumCase: EnumCase<Enum, State>
  private let property: WritableKeyPath<Owner, Enum>
  private let identity = ChildIdentity<State>.found()

  init(
    _ keyPath: WritableKeyPath<Owner, Enum>, _ embed: @escaping (State) -> Enum,
    of owner: StateStorage<Owner>
  ) {
    enumCase = EnumCase(embed)
    property = keyPath
    super.init(keyPath, StatePath(keyPath), of: owner)
  }

  override var caseTag: UInt32? { enumCase.tag }

  private var payload: State? {
    owner.found.flatMap { enumCase.payload(of: $0[keyPath: property]) }
  }

  /// Whether the property has the case, and it is the one that a function makes.
  func isThere(made embed: (State) -> Enum) -> Bool {
    payload.map { enumCase.payload(of: embed($0)) != nil } ?? false
  }

  override var anyID: CaseID? {
    payload.map { CaseID(index: 0, payload: OnlyID(of: $0, by: identity)) }
  }

  override func place(of id: CaseID, _ report: ((CaseID) -> Void)?) -> StatePlace<State>? {
    let place = CasePlace(
      .property(property), enumCase, of: owner, isSame: id.payload.comparison(by: identity))
    return place.isPresent ? place : nil
  }

  override func childPath(of id: CaseID) -> ChildPath { ChildPath(keyPath, case: enumCase.name) }
}

/// What tells a payload from others of the same case; the index is that of its screen.
struct CaseID: Hashable {
  let index: Int
  let payload: OnlyID
}

extension Engine {
  /// The child in a case of an enum.
  func child<F: Feature, Enum>(
    case keyPath: KeyPath<State, Enum>, _ embed: @escaping (F.State) -> Enum, _ feature: F.Type,
    for scope: Scope<State, Action>, asShown: Bool
  ) -> Store<F.State, F.Action>? {
    guard scope.isCurrent, !isClosed else { return nil }
    // Which case there is, is a part of the state.
    scope.storage.checkRead()
    let sites = sites(keyPath, F.self).compactMap {
      $0 as? MovingSite<State, CaseID, F.State, F.Action>
    }
    if sites.isEmpty { trapUndeclared(case: keyPath, F.self) }
    for site in sites {
      if let cases = site.collection as? CaseCollection<State, Enum, F.State>,
        storage.readingTruth({ cases.isThere(made: embed) })
          || storage.reading({ cases.isThere(made: embed) })
      {
        return site.begun(nil, asShown: asShown)?.store(for: scope)
      }
    }
    if EnumCase(embed).payload(of: scope.storage.current[keyPath: keyPath]) == nil { return nil }
    trapUndeclared(case: keyPath, F.self)
  }

  /// The child of the screen at an index of a path, and the case that it shows.
  func screen<F: Feature, Screen>(
    _ keyPath: KeyPath<State, [Screen]>, at index: Int, _ feature: F.Type,
    for scope: Scope<State, Action>
  ) -> (child: Store<F.State, F.Action>, enumCase: (F.State) -> Screen)? {
    guard scope.isCurrent, !isClosed else { return nil }
    // Which screens there are is a part of the state.
    scope.storage.checkRead()
    let sites = sites(keyPath, F.self).compactMap {
      $0 as? MovingSite<State, CaseID, F.State, F.Action>
    }
    if sites.isEmpty {
      let property = ChildPath(keyPath).property
      fatalError(
        """
        child(\(property), at: \(index), \(F.self).self): the interactor of this store declares no such \
        screen. Add it to children(of:) of the interactor, as in \
        `Each(\(property)) { Case(…) { \(F.self)() } }`. A child that `Each(\(property)) { id in … }` \
        declares has an id: `child(\(property), id: …, \(F.self).self)`.
        """)
    }
    for site in sites {
      guard let screens = site.collection as? ScreenCollection<State, Screen, F.State>,
        let id = scope.storage.reading({ screens.id(at: index) })
      else { continue }
      return site.begun(id, asShown: true).map { ($0.store(for: scope), screens.enumCase.embed) }
    }
    return nil
  }

  private func trapUndeclared(case keyPath: AnyKeyPath, _ type: Any.Type) -> Never {
    let property = ChildPath(keyPath).property
    fatalError(
      """
      child(case: \(property), …, \(type).self): the interactor of this store declares no such child. \
      Add it to children(of:) of the interactor, as in `Child(case: \(property), …) { \(type)() }`.
      """)
  }
}

extension Store {
  package func screen<Screen, F: Feature>(
    _ keyPath: KeyPath<State, [Screen]>, at index: Int, _ feature: F.Type
  ) -> (child: Store<F.State, F.Action>, enumCase: (F.State) -> Screen)? {
    engine.screen(keyPath, at: index, F.self, for: scope)
  }
}
