/// On whose behalf a sink runs: it sees each value before the sink does, and may withhold it.
///
/// A sink belongs to the witness in whose presence it was made, for good. So a hook is known by
/// what it made and not by where it stands, whatever operators it used (H2).
@MainActor protocol Witness: AnyObject {
  /// - Parameter paths: the parts of a state that the value is made of.
  func witness<Value>(
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

extension Witness {
  /// Makes this the owner of the sinks that a body makes.
  func owning<Result>(_ body: () -> Result) -> Result {
    Propagation.withWitness(self, body)
  }
}

extension Propagation {
  /// Runs a body whose sinks belong to nobody, whoever is present.
  static func withoutWitness<Result>(_ body: () -> Result) -> Result {
    witness == nil ? body() : withWitness(nil, body)
  }

  fileprivate static func withWitness<Result>(_ witness: (any Witness)?, _ body: () -> Result)
    -> Result
  {
    let outer = self.witness
    self.witness = witness
    defer { self.witness = outer }
    return body()
  }
}
