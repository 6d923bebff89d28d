/// The key paths that the values of a sink come from, and whether closures transformed them.
struct Provenance: Hashable {
  /// The key paths that the values are read through.
  private(set) var paths: [AnyKeyPath] = []
  /// Whether a closure transforms the values that are read.
  var isTransformed = false
  /// Whether there are more paths than are listed, so the values may come from anywhere.
  private(set) var hasMore = false

  private static let pathLimit = 100

  /// Adds a path that is not listed yet.
  mutating func append(_ path: AnyKeyPath) {
    if paths.count < Self.pathLimit { paths.append(path) } else { hasMore = true }
  }

  /// Whether another provenance, which only grows, has more than when it was copied to this one.
  func isOutdated(by other: Provenance) -> Bool {
    paths.count != other.paths.count || isTransformed != other.isTransformed
      || hasMore != other.hasMore
  }

  /// Notes that there are more paths than are listed.
  mutating func addUnlistedPaths() { hasMore = true }
}
