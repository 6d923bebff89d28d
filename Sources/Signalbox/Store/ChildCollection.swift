/// A property in which the states of children come and go.
@MainActor class ChildCollection<Owner, ID: Hashable, State> {
  let path: StatePath
  let keyPath: AnyKeyPath
  let owner: StateStorage<Owner>

  init(_ keyPath: PartialKeyPath<Owner>, _ path: StatePath, of owner: StateStorage<Owner>) {
    ChildPath.checkedOffset(of: keyPath)
    self.keyPath = keyPath
    self.path = path
    self.owner = owner
  }

  var anyID: ID? { nil }
  /// What the id of the only state is, if it has one of its own.
  var identityOfOnly: ChildIdentity<State>? { nil }
  /// The tag of the enum case that the states are in; `nil` if there is none, or it is not known.
  var caseTag: UInt32? { nil }
  /// The ids, in their order and each once; `report` receives those of several states.
  func ids(_ report: (ID) -> Void) -> [ID] { anyID.map { [$0] } ?? [] }
  // The way to the state with an id. Without `report`, which receives the id if several states have
  // it, the search ends at the first one.
  func place(of id: ID, _ report: ((ID) -> Void)? = nil) -> StatePlace<State>? { nil }
  /// Whether the states are kept as a whole, and compared; if not, each live one is kept by itself.
  var keepsAll: Bool { false }
  /// Whether the collection from before a change is kept.
  var isKept: Bool { false }
  /// Keeps the collection, which a change in place then copies.
  func keep() {}
  func forget() {}
  /// Adds a live state.
  func list(_ place: StatePlace<State>) {}
  /// Notes that a live state, which has not ended yet, is not in the collection.
  func noteMissing(_ slot: Int) {}
  func end(_ slot: Int) {}
  /// Drops the states that have ended, after the others got new slots.
  func compact() {}
  /// The differences from what was kept or, without it, from where the `count` live states were.
  func differences(_ places: [StatePlace<State>?], _ count: Int) -> CollectionDifferences {
    var differences = CollectionDifferences()
    for (slot, place) in places.enumerated() {
      guard let place else { continue }
      if place.isPresent { differences.touched.append(slot) } else { differences.lost.append(slot) }
    }
    return differences
  }
  func apply(_ differences: CollectionDifferences, to places: [StatePlace<State>?]) {}
  /// Whether places lead to the states in the kept collection.
  @safe @exclusivity(unchecked) private(set) final var isRewound = false
  final func rewound(_ body: () -> Void) {
    isRewound = isKept
    body()
    isRewound = false
  }
  var count: Int { ids { _ in }.count }
  func ids(in range: Range<Int>) -> [ID] { [] }
  func childPath(of id: ID) -> ChildPath { ChildPath(keyPath, .identity { AnyHashable(id) }) }
}

/// The value of an optional, which is another child if it has another id (C14).
final class OptionalCollection<Owner, State>: ChildCollection<Owner, OnlyID, State> {
  private let optional: WritableKeyPath<Owner, State?>
  private let identity: ChildIdentity<State>?

  init(
    _ keyPath: WritableKeyPath<Owner, State?>, identity: ChildIdentity<State>? = .found(),
    of owner: StateStorage<Owner>
  ) {
    optional = keyPath
    self.identity = identity
    super.init(keyPath, StatePath(keyPath), of: owner)
  }

  override var identityOfOnly: ChildIdentity<State>? { identity }

  override var anyID: OnlyID? {
    owner.found.flatMap { $0[keyPath: optional] }.map { OnlyID(of: $0, by: identity) }
  }

  override func place(of id: OnlyID, _ report: ((OnlyID) -> Void)?) -> StatePlace<State>? {
    let place = OptionalPlace(
      optional, of: owner,
      isSame: id.comparison(by: identity))
    return place.isPresent ? place : nil
  }

  override func childPath(of id: OnlyID) -> ChildPath { ChildPath(keyPath) }
}

/// What tells the child at an optional from the one before it (C14).
///
/// A class, so that a cast can find its type. It is an argument of a key path, hashed by identity.
final class ChildIdentity<State>: Hashable {
  let id: (State) -> AnyHashable
  /// Makes a function that compares the ids of states with an id.
  fileprivate let comparison: (AnyHashable) -> (State) -> Bool

  convenience init<ID: Hashable>(_ id: KeyPath<State, ID>) {
    self.init(reading: { $0[keyPath: id] })
  }

  private init<ID: Hashable>(reading id: @escaping (State) -> ID) {
    self.id = { AnyHashable(id($0)) }
    // Compares the ids themselves, because an `AnyHashable` takes many times as long to make.
    comparison = { wanted in
      guard let wanted = wanted.base as? ID else { return { _ in false } }
      return { id($0) == wanted }
    }
  }

  /// The `id` of an `Identifiable` state, which generic code can find only at run time.
  static func found() -> ChildIdentity? {
    func open<S: Identifiable>(_: S.Type) -> Any { ChildIdentity<S>(reading: { $0.id }) }
    return (State.self as? any Identifiable.Type).flatMap { open($0) as? ChildIdentity }
  }

  static func == (a: ChildIdentity, b: ChildIdentity) -> Bool { a === b }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The id of the value of an optional.
struct OnlyID: Hashable {
  /// `nil` if any value is the same child.
  private let id: AnyHashable?

  init<State>(of state: State, by identity: ChildIdentity<State>?) { id = identity?.id(state) }

  /// A function that tells whether a state has this id; `nil` if any state has.
  func comparison<State>(by identity: ChildIdentity<State>?) -> ((State) -> Bool)? {
    identity.map { identity in id.map { identity.comparison($0) } ?? { _ in false } }
  }
}
