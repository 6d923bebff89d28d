/// The owner of sinks, which sees each value before the sink and can withhold it (H2).
///
/// A sink always belongs to the owner that was current when it was made.
@MainActor protocol SinkOwner: AnyObject {
  func deliver<Value>(
    _ value: Value, from attachment: Attachment, _ receive: @MainActor (Value) -> Void)

  /// Whether its sinks still receive values.
  var isOpen: Bool { get }

  func hasGainedSink()
  /// Called when a sink of this owner has finished or was cancelled.
  func hasLostSink()
  /// Called when an attachment of this owner has further origins.
  func hasGrown(_ attachment: Attachment)
  /// Called when a sink of this owner receives the values that are posted to an inbox.
  func listens(to inbox: any AnyInbox)
  /// Called when an operator begins to hold back a value; returns what to call at the end.
  func willHold(for interval: Duration, on clock: any Clock<Duration>) -> (@MainActor () -> Void)?
  /// Runs the waits of an async sequence, so that a test store sees when an element is on its way.
  var executor: (any TaskExecutor)? { get }
  /// Whether an event follows from what this owner itself has done with events.
  func hasLed(to event: Propagation.Cause?) -> Bool
}

extension SinkOwner {
  func hasLed(to event: Propagation.Cause?) -> Bool { false }
  func hasGainedSink() {}
  func hasLostSink() {}
  func hasGrown(_ attachment: Attachment) {}

  func owning<Result>(_ body: () -> Result) -> Result {
    Propagation.withOwner(self, body)
  }
}

extension Propagation {
  /// The owner of the sinks that are made now, ambient because user code does not name it; from
  /// there on, it travels with the attachment of the sink.
  private static var owner: (any SinkOwner)?

  static func makeAttachment() -> Attachment? { owner.map { Attachment(of: $0) } }

  /// Makes the attachment of a new sink that asks for the origins of its values.
  static func makeAttachmentWithOrigins() -> Attachment { Attachment(of: owner) }

  static var hasOwner: Bool { owner != nil }

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
