/// A property of a state in which other states come and go, such as an array of them.
// Its states are those with observers or other users. Their owner overrides the members.
@MainActor class Site {
  /// The property in the state of its node.
  final let path: StatePath

  init(_ path: StatePath) { self.path = path }

  /// Whether a change of the property may concern a state.
  var isActive: Bool { false }
  /// The case of the enum at the path that its states are in; `nil` if that is not known.
  var enumCase: UInt32? { nil }

  /// Whether a change of a state of another site concerns this one.
  final func isConcerned(byStatesOf other: Site?) -> Bool {
    guard let other, other !== self else { return other == nil }
    guard path.range == other.path.range, let enumCase, let otherCase = other.enumCase else {
      return true
    }
    // A value of an enum has one of its cases.
    return enumCase == otherCase
  }

  /// Keeps what a change of the property may lose.
  func willChange() {}
  /// Notes that one of its states is about to change by itself, in a batch.
  func willChange(_ state: StateNode) {}
  /// Keeps the values that are compared after the change.
  func remember() {}
  func collect(into commit: Commit) {}
  func forget() {}
  /// Notes what has changed in states that are gone with the state around them, and drops the values.
  func lose() { forget() }
  /// Ends the states that are gone, before other sites begin any.
  func end() {}
  /// Ends the states that are gone and begins those that have come, which runs user code.
  func update() {}
}
