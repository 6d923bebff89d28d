/// One change of a line of values.
///
/// A line is what one store changes, or bytes that a restore has found.
struct Version: Hashable, Sendable {
  let line: Int
  let change: Int
}

/// Which changes values come from: of each line, all up to a number.
///
///     line 1   0 ── 1 ── 2        typed in the first store
///                   └─ line 2   0 ── 1        a store that was made of what a restore has found
///
/// Here, (2, 1) comes from (1, 1) and not from (1, 2), so it does not overwrite that (P5). The
/// number of a restore in place of a history could not tell what was typed after the restore.
struct History: Sendable {
  /// The last change of each line.
  private var last: [Int: Int] = [:]

  init(_ versions: [Version] = []) { for version in versions { add(version) } }

  func contains(_ version: Version) -> Bool {
    last[version.line].map { version.change <= $0 } ?? false
  }

  /// What two histories have in common.
  func intersection(_ other: History) -> History {
    var common = History()
    for (line, change) in last {
      if let change = other.last[line].map({ min($0, change) }) { common.last[line] = change }
    }
    return common
  }

  /// - Parameter version: the newest of its line.
  mutating func add(_ version: Version) { last[version.line] = version.change }
}
