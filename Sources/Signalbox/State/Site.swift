/// A property of a state in which other states come and go, such as an array of them.
///
/// Its states are those with observers or other users. A change of the property concerns them, and
/// so may end or begin some. The owner of the states overrides the members.
@MainActor class Site {
  /// The property in the state of its registry.
  final let path: StatePath

  init(_ path: StatePath) { self.path = path }

  /// Whether a change of the property may concern a state.
  var isActive: Bool { false }
  /// Keeps what a change of the property may lose.
  func willChange() {}
  /// Keeps the values that are compared after the change.
  func remember() {}
  /// Adds the parts that a change has changed to its commit.
  func collect(into commit: Commit) {}
  /// Drops the values that were kept for a comparison.
  func forget() {}
  /// Notes what has changed in states that are gone with the state around them, and drops the values.
  func lose() { forget() }
  /// Ends the states that are gone and begins those that have come, which runs user code.
  func update() {}
}
