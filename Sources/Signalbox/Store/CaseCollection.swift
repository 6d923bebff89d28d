/// The payload of an enum case, which is there while the property has the case.
final class CaseCollection<Owner, Enum, State>: ChildCollection<Owner, OnlyID, State> {
  let enumCase: EnumCase<Enum, State>
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

  override var identityOfOnly: ChildIdentity<State>? { identity }

  /// Whether the property has the case, and it is the one that a function makes.
  func isThere(made embed: (State) -> Enum) -> Bool {
    payload.map { enumCase.payload(of: embed($0)) != nil } ?? false
  }

  override var anyID: OnlyID? { payload.map { OnlyID(of: $0, by: identity) } }

  override func ids(_ report: (OnlyID) -> Void) -> [OnlyID] { anyID.map { [$0] } ?? [] }

  override func place(of id: OnlyID, _ report: ((OnlyID) -> Void)?) -> StatePlace<State>? {
    let place = CasePlace(
      .property(property), enumCase, of: owner, isSame: id.comparison(by: identity))
    return place.isPresent ? place : nil
  }

  override func childPath(of id: OnlyID) -> ChildPath { ChildPath(keyPath, case: enumCase.name) }
}

extension Engine {
  func child<F: Feature, Enum>(
    case keyPath: KeyPath<State, Enum>, _ embed: @escaping (F.State) -> Enum, _ feature: F.Type,
    for scope: Scope<State, Action>
  ) -> Store<F.State, F.Action>? {
    guard scope.isCurrent, !isClosed else { return nil }
    // Which case there is, is a part of the state.
    scope.storage.checkRead()
    let key = ChildSite<State>.Key(path: StatePath(keyPath), type: ObjectIdentifier(F.self))
    let sites = children.filter { $0.key == key }
      .compactMap { $0 as? MovingSite<State, OnlyID, F.State, F.Action> }
      .filter { $0.collection is CaseCollection<State, Enum, F.State> }
    if sites.isEmpty { trapUndeclared(case: keyPath, F.self) }
    for site in sites {
      if let cases = site.collection as? CaseCollection<State, Enum, F.State>,
        storage.readingTruth({ cases.isThere(made: embed) })
          || storage.reading({ cases.isThere(made: embed) })
      {
        return site.begun(nil)?.store(for: scope)
      }
    }
    if EnumCase(embed).payload(of: scope.storage.current[keyPath: keyPath]) == nil { return nil }
    trapUndeclared(case: keyPath, F.self)
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
