/// The owner of a sink and the provenance of its values.
///
///     Sink ◀── Subscriber ◀── operator ◀── Subscriber ◀── source
///       └──────── attachment ────┴─────── attachment ────────┘
///
/// It travels up the chain with the subscribers while the sink is being attached. Sources and
/// operators add to the provenance, and so do operators that subscribe to another signal later. A
/// sink without an owner has no attachment.
@MainActor final class Attachment {
  let owner: any SinkOwner
  private(set) var provenance = Provenance()
  /// The origins of the values; `nil` if nothing asks for them.
  private(set) var origins: [Origin]?

  /// - Parameter keepsOrigins: whether something asks for the origins of the values.
  init(of owner: any SinkOwner, keepsOrigins: Bool = false) {
    self.owner = owner
    if keepsOrigins { origins = [] }
  }

  /// Notes a key path that the values are read through.
  ///
  /// - Parameters:
  ///   - storage: the storage of the state that it is applied to.
  ///   - state: what tells which parts of that state are hidden; `nil` if that is not known.
  func add(_ path: AnyKeyPath, of storage: AnyObject, _ state: @autoclosure () -> OriginState?) {
    provenance.add(state: ObjectIdentifier(storage))
    add(path)
    if origins != nil { add(Origin(state: state(), path: path)) }
  }

  private func add(_ origin: Origin) {
    guard let known = origins, !known.contains(origin) else { return }
    origins?.append(known.count < Origin.limit ? origin : Origin(state: origin.state, path: nil))
  }

  private func add(_ path: AnyKeyPath) {
    // Searched in a copy, because user code compares key paths and may add others in turn.
    let known = provenance.paths
    if !known.contains(path) { provenance.append(path) }
  }

  /// Notes that a closure transforms the values that are read.
  func addTransformation() { provenance.isTransformed = true }

  /// Notes the provenance of values that another attachment has collected.
  func add(_ other: Attachment) {
    for path in other.provenance.paths { add(path) }
    provenance.addStates(of: other.provenance)
    if other.provenance.isTransformed { addTransformation() }
    if other.provenance.hasMore { provenance.addUnlistedPaths() }
    if origins != nil { for origin in other.origins ?? [] { add(origin) } }
  }
}

/// A part of a state that the values of a sink come from.
struct Origin: Equatable {
  /// The state; `nil` if its store was closed.
  let state: OriginState?
  /// The key path to the part; `nil` if it may be any part.
  let path: AnyKeyPath?

  fileprivate static let limit = 100

  static func == (a: Self, b: Self) -> Bool { a.state === b.state && a.path == b.path }
}

/// Tells which parts of a state are hidden from texts.
@MainActor class OriginState {
  /// Whether a value comes from a hidden part.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - path: the part that it was made of; `nil` if it may be any part.
  ///   - isTransformed: whether closures may have changed it.
  func hides(_ value: Any, from path: AnyKeyPath?, isTransformed: Bool) -> Bool { true }

  /// Called when a caller starts to wait for a value of the state.
  ///
  /// - Parameter giveUp: ends the wait without a value.
  /// - Returns: a closure to call when the wait is over; `nil` if nothing watches the wait.
  func willWait(orGiveUp giveUp: @escaping @MainActor () -> Void) -> (@MainActor () -> Void)? {
    nil
  }
}
