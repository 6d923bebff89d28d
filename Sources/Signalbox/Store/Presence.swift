/// Which child an optional property, a case, a path or a collection has, for observation (M5).
extension Optional {
  subscript(onlyID identity: ChildIdentity<Wrapped>?) -> OnlyID? {
    map { OnlyID(of: $0, by: identity) }
  }

  var caseIdentity: ScreenIdentity? { map { ScreenIdentity(of: $0) } }
}

extension Array where Element: Identifiable {
  /// Of two elements with one id, the first is the child (C8).
  var ids: [Element.ID] {
    var known: Set<Element.ID> = []
    known.reserveCapacity(count)
    return compactMap { known.insert($0.id).inserted ? $0.id : nil }
  }
}

extension Array {
  fileprivate var screenIdentities: [ScreenIdentity] { map { ScreenIdentity(of: $0) } }
}

extension Dictionary {
  // Not `keys`, which would keep the dictionary, so that the next change would copy it.
  fileprivate var ids: Set<Key> { Set(keys) }
}

/// Which case an enum has, and the `id` of its payload.
// Not a part with a key path, because Swift has none to a member of just any type.
private final class CasePart<State, Enum>: TypedPart<ScreenIdentity> {
  private let state: StateStorage<State>
  private let keyPath: KeyPath<State, Enum>

  init(_ keyPath: KeyPath<State, Enum>, _ path: StatePath, of state: StateStorage<State>) {
    self.state = state
    self.keyPath = keyPath
    super.init(path.moved(by: state.prefix), in: state.home, equality: Equality())
  }

  override func read() -> ScreenIdentity {
    storage.checkRead()
    return ScreenIdentity(of: state.readComputed(keyPath))
  }
}

/// Tracks which children there are, for the `child` functions of a `Store`.
extension ParentAccess {
  func track<F: Feature>(_ keyPath: KeyPath<State, F.State?>, _ feature: F.Type) {
    if isTracked {
      let identity = engine.identity(of: keyPath, F.self)
      storage.track(computed: keyPath.appending(path: \.[onlyID: identity]))
    }
  }

  func track<Enum>(case keyPath: KeyPath<State, Enum>) {
    if isTracked {
      let path = StatePath(computedFrom: keyPath)
      storage.track(path) { CasePart(keyPath, path, of: storage) }
    }
  }

  func track<Screen>(path keyPath: KeyPath<State, [Screen]>) {
    if isTracked { storage.track(computed: keyPath.appending(path: \.screenIdentities)) }
  }

  func track<Element: Identifiable>(_ keyPath: KeyPath<State, [Element]>) {
    if isTracked { storage.track(computed: keyPath.appending(path: \.ids)) }
  }

  func track<ID: Hashable, Value>(_ keyPath: KeyPath<State, [ID: Value]>) {
    if isTracked { storage.track(computed: keyPath.appending(path: \.ids)) }
  }

  private var storage: StateStorage<State> { scope.storage }
  /// Whether the caller is tracked, and so gets the children that are shown.
  var isTracked: Bool { tracks && storage.isTracked }
}
