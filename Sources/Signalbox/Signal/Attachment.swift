/// The owner of a sink and the origins of its values.
///
///     Sink ◀── Subscriber ◀── operator ◀── Subscriber ◀── source
///       └──────── attachment ────┴─────── attachment ────────┘
///
/// It travels up the chain while the sink is being attached. Sources, and operators that subscribe
/// later, add to the origins. A sink has none if nothing asks for its owner or its origins.
@MainActor final class Attachment {
  let owner: (any SinkOwner)?
  private(set) var origins: [Origin] = []
  /// The states with an origin beyond `Origin.limit`, of which any part may be the origin.
  private var anywhere: Set<ObjectIdentifier> = []
  /// Whether a closure transforms the values that are read.
  private(set) var isTransformed = false

  init(of owner: (any SinkOwner)?) { self.owner = owner }

  func add(_ path: AnyKeyPath, of storage: AnyObject, _ state: OriginState?) {
    if add(Origin(storage: ObjectIdentifier(storage), state: state, path: path)) {
      owner?.hasGrown(self)
    }
  }

  func addTransformation() {
    if isTransformed { return }
    isTransformed = true
    owner?.hasGrown(self)
  }

  func add(_ other: Attachment) {
    var hasGrown = other.isTransformed && !isTransformed
    if hasGrown { isTransformed = true }
    for origin in other.origins where add(origin) { hasGrown = true }
    if hasGrown { owner?.hasGrown(self) }
  }

  /// - Returns: whether the origin is new.
  private func add(_ origin: Origin) -> Bool {
    // Searched in a copy, because user code compares key paths and may add others in turn.
    let known = Array(origins.prefix(Origin.limit))
    if known.contains(origin) { return false }
    var origin = origin
    if known.count >= Origin.limit {
      origin.path = nil
      if !anywhere.insert(origin.storage).inserted { return false }
    }
    origins.append(origin)
    return true
  }

  /// The origins as the store of a state sees them; a value of another state may come from
  /// anywhere, redacted or not, unless nothing in that state is hidden.
  func provenance(seenFrom storage: AnyObject) -> Provenance {
    var paths: [AnyKeyPath] = []
    let origins = origins.filter {
      $0.storage == ObjectIdentifier(storage) || $0.state?.isOpen != true
    }
    for case let path? in origins.map(\.path) where !paths.contains(path) { paths.append(path) }
    return Provenance(
      paths: paths, isTransformed: isTransformed,
      hasMore: origins.contains { $0.path == nil || $0.storage != ObjectIdentifier(storage) })
  }
}

/// The key paths that the values of a sink come from, and whether closures transformed them.
struct Provenance: Hashable {
  var paths: [AnyKeyPath] = []
  var isTransformed = false
  /// Whether the values may come from anywhere, and not only through these paths.
  var hasMore = false
}

/// A part of a state that the values of a sink come from.
struct Origin: Equatable {
  let storage: ObjectIdentifier
  /// The state; `nil` if its store was closed.
  let state: OriginState?
  /// The key path to the part; `nil` if it may be any part.
  fileprivate(set) var path: AnyKeyPath?

  fileprivate static let limit = 100

  static func == (a: Self, b: Self) -> Bool { a.storage == b.storage && a.path == b.path }
}

/// Tells which parts of a state are hidden from texts.
@MainActor class OriginState {
  /// Whether a value comes from a hidden part, where no path means any part.
  func hides(_ value: Any, from path: AnyKeyPath?, isTransformed: Bool) -> Bool { true }

  /// Whether no part of the state is hidden.
  var isOpen: Bool { false }

  /// Called when a caller begins to wait for a value; returns what to call at the end of the wait.
  func willWait(orGiveUp giveUp: @escaping @MainActor () -> Void) -> (@MainActor () -> Void)? {
    nil
  }
}
