/// The owner of sinks, such as a hook, which sees each value before the sink and can withhold it.
///
/// A sink belongs permanently to the owner that was current when the sink was made. A hook is
/// therefore identified by the sinks that it made, whatever operators it used (H2).
@MainActor protocol SinkOwner: AnyObject {
  /// Passes a value on to a sink, or withholds it.
  ///
  /// - Parameter paths: the parts of a state that the value is made of.
  func deliver<Value>(
    _ value: Value, from paths: [AnyKeyPath], _ receive: @MainActor (Value) -> Void)

  /// Whether its sinks still receive values.
  var isOpen: Bool { get }

  /// Called when a sink of this owner was made.
  func hasGainedSink()
  /// Called when a sink of this owner has finished or was cancelled.
  func hasLostSink()
  /// Called when a sink of this owner receives the values that are posted to a queue.
  func listens(to box: any PostBox)
}

extension SinkOwner {
  /// Runs a body whose sinks belong to this owner.
  func owning<Result>(_ body: () -> Result) -> Result {
    Propagation.withOwner(self, body)
  }
}

extension Propagation {
  /// Runs a body whose sinks have no owner, even if an owner is current.
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
