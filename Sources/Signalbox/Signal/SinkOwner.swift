/// On whose behalf a sink runs: it sees each value before the sink does, and may withhold it.
///
/// A sink belongs to the witness in whose presence it was made, for good. So a hook is known by
/// what it made and not by where it stands, whatever operators it used (H2).
@MainActor protocol SinkOwner: AnyObject {
  /// - Parameter paths: the parts of a state that the value is made of.
  func deliver<Value>(
    _ value: Value, from paths: [AnyKeyPath], _ receive: @MainActor (Value) -> Void)

  /// Whether its sinks still run.
  var isOpen: Bool { get }

  /// One more sink is its own.
  func hasGainedSink()
  /// A sink of its own has finished or been cancelled.
  func hasLostSink()
  /// A sink of its own gets what is posted there.
  func listens(to box: any PostBox)
}

extension SinkOwner {
  /// Makes this the owner of the sinks that a body makes.
  func owning<Result>(_ body: () -> Result) -> Result {
    Propagation.withOwner(self, body)
  }
}

extension Propagation {
  /// Runs a body whose sinks belong to nobody, whoever is present.
  static func withoutOwner<Result>(_ body: () -> Result) -> Result {
    owner == nil ? body() : withOwner(nil, body)
  }

  fileprivate static func withOwner<Result>(_ owner: (any SinkOwner)?, _ body: () -> Result)
    -> Result
  {
    let outer = self.owner
    self.owner = owner
    defer { self.owner = outer }
    return body()
  }
}
