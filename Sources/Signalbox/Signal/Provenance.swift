/// The key paths that the values of a sink come from, and whether closures transformed them.
struct Provenance: Hashable {
  /// The key paths that the values are read through.
  private(set) var paths: [AnyKeyPath] = []
  /// Whether a closure transforms the values that are read.
  var isTransformed = false
  /// Whether there are more paths than are listed, so the values may come from anywhere.
  private(set) var hasMore = false
  /// Whether the paths are applied to more than one state.
  private var hasSeveralStates = false
  /// The storage of the state that the paths are applied to.
  private var state: ObjectIdentifier?

  private static let pathLimit = 100

  /// Notes the storage of a state that a path is applied to.
  mutating func add(state other: ObjectIdentifier) {
    if state == nil { state = other } else if state != other { hasSeveralStates = true }
  }

  /// Notes the states of another provenance.
  mutating func addStates(of other: Provenance) {
    if let state = other.state { add(state: state) }
    if other.hasSeveralStates { hasSeveralStates = true }
  }

  /// The provenance as the store of a state sees it.
  ///
  /// What is read from another state may come from anywhere: that state may be a part of something
  /// redacted, whatever its type is.
  func seen(from storage: AnyObject) -> Provenance {
    guard let state else { return self }
    var seen = self
    if hasSeveralStates || state != ObjectIdentifier(storage) { seen.hasMore = true }
    (seen.state, seen.hasSeveralStates) = (nil, false)
    return seen
  }

  /// Adds a path that is not listed yet.
  mutating func append(_ path: AnyKeyPath) {
    if paths.count < Self.pathLimit { paths.append(path) } else { hasMore = true }
  }

  /// Whether another provenance, which only grows, has more than when it was copied to this one.
  func isOutdated(by other: Provenance) -> Bool {
    paths.count != other.paths.count || isTransformed != other.isTransformed
      || hasMore != other.hasMore || state != other.state
      || hasSeveralStates != other.hasSeveralStates
  }

  /// Notes that there are more paths than are listed.
  mutating func addUnlistedPaths() { hasMore = true }
}
