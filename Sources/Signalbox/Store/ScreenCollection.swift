/// The screens of a path that show one case (N2).
final class ScreenCollection<Owner, Screen, State>: ChildCollection<Owner, ScreenID, State> {
  private let screens: WritableKeyPath<Owner, [Screen]>
  fileprivate let enumCase: EnumCase<Screen, State>
  private let identity = ChildIdentity<State>.found()

  init(
    _ keyPath: WritableKeyPath<Owner, [Screen]>, _ embed: @escaping (State) -> Screen,
    of owner: StateStorage<Owner>
  ) {
    screens = keyPath
    enumCase = EnumCase(embed)
    super.init(keyPath, StatePath(keyPath), of: owner)
  }

  override var caseTag: UInt32? { enumCase.tag }

  private var allScreens: [Screen] { owner.found?[keyPath: screens] ?? [] }

  func id(at index: Int) -> ScreenID? { id(at: index, of: allScreens) }

  private func id(at index: Int, of path: [Screen]) -> ScreenID? {
    guard path.indices.contains(index) else { return nil }
    return enumCase.payload(of: path[index]).map {
      ScreenID(index: index, payload: OnlyID(of: $0, by: identity))
    }
  }

  override var anyID: ScreenID? {
    let path = allScreens
    return path.indices.lazy.compactMap { self.id(at: $0, of: path) }.first
  }

  override func ids(_ report: (ScreenID) -> Void) -> [ScreenID] {
    let path = allScreens
    return path.indices.compactMap { id(at: $0, of: path) }
  }

  override func place(of id: ScreenID, _ report: ((ScreenID) -> Void)?) -> StatePlace<State>? {
    let place = CasePlace(
      .element(screens, index: id.index), enumCase, of: owner,
      isSame: id.payload.comparison(by: identity))
    return place.isPresent ? place : nil
  }

  override func childPath(of id: ScreenID) -> ChildPath {
    ChildPath(keyPath, at: id.index, case: enumCase.name)
  }
}

/// What tells a screen of a path from others that show the same case.
struct ScreenID: Hashable {
  let index: Int
  let payload: OnlyID
}

extension Engine {
  /// The child of the screen at an index of a path, and the case that it shows.
  func screen<F: Feature, Screen>(
    _ keyPath: KeyPath<State, [Screen]>, at index: Int, _ feature: F.Type,
    for scope: Scope<State, Action>
  ) -> (child: Store<F.State, F.Action>, enumCase: (F.State) -> Screen)? {
    guard scope.isCurrent, !isClosed else { return nil }
    // Which screens there are is a part of the state.
    scope.storage.checkRead()
    let key = ChildSite<State>.Key(path: StatePath(keyPath), type: ObjectIdentifier(F.self))
    let sites = children.filter { $0.key == key }
      .compactMap { $0 as? MovingSite<State, ScreenID, F.State, F.Action> }
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
      return site.begun(id).map { ($0.store(for: scope), screens.enumCase.embed) }
    }
    return nil
  }
}

extension Store {
  package func screen<Screen, F: Feature>(
    _ keyPath: KeyPath<State, [Screen]>, at index: Int, _ feature: F.Type
  ) -> (child: Store<F.State, F.Action>, enumCase: (F.State) -> Screen)? {
    engine.screen(keyPath, at: index, F.self, for: scope)
  }
}
