/// The owner of sinks, which sees each value before the sink and can withhold it (H2).
///
/// A sink belongs permanently to the owner that was current when the sink was made, whatever
/// operators it uses.
@MainActor protocol SinkOwner: AnyObject {
  /// Passes a value on to a sink, or withholds it.
  func deliver<Value>(
    _ value: Value, from attachment: Attachment, _ receive: @MainActor (Value) -> Void)

  /// Whether its sinks still receive values.
  var isOpen: Bool { get }

  /// Called when a sink of this owner was made.
  func hasGainedSink()
  /// Called when a sink of this owner has finished or was cancelled.
  func hasLostSink()
  /// Called when an attachment of this owner has further origins.
  func hasGrown(_ attachment: Attachment)
  /// Called when a sink of this owner receives the values that are posted to an inbox.
  func listens(to inbox: any AnyInbox)
  /// Called when an operator starts to hold back a value for a sink of this owner.
  ///
  /// - Returns: a closure to call when the operator no longer holds a value.
  func willHold(for interval: Duration, on clock: any Clock<Duration>) -> (@MainActor () -> Void)?
  /// Runs what an async sequence does for a sink of this owner, outside of the main actor.
  ///
  /// A test store sees there when an element is on its way. It is `nil` without a test store.
  var executor: (any TaskExecutor)? { get }
  /// Whether an event follows from what this owner itself has done with events.
  func hasLed(to event: Propagation.Cause?) -> Bool
}

extension SinkOwner {
  func hasLed(to event: Propagation.Cause?) -> Bool { false }
  func hasGainedSink() {}
  func hasLostSink() {}
  func hasGrown(_ attachment: Attachment) {}

  /// Runs a body whose sinks belong to this owner.
  func owning<Result>(_ body: () -> Result) -> Result {
    Propagation.withOwner(self, body)
  }
}

extension Propagation {
  /// The owner of the sinks that are made now.
  ///
  /// It is ambient because user code makes sinks, and does not say for which owner. It decides only
  /// which attachment a new sink gets. From there on, the owner travels with the attachment.
  private static var owner: (any SinkOwner)?

  /// Makes the attachment of a new sink, or returns `nil` if the sink has no owner.
  static func makeAttachment() -> Attachment? { owner.map { Attachment(of: $0) } }

  /// Makes the attachment of a new sink that asks for the origins of its values.
  static func makeAttachmentWithOrigins() -> Attachment { Attachment(of: owner) }

  /// Whether sinks that are made now have an owner.
  static var hasOwner: Bool { owner != nil }

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
