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

  init(of owner: any SinkOwner) { self.owner = owner }

  /// Notes a key path that the values are read through.
  ///
  /// - Parameter storage: the storage of the state that it is applied to.
  func add(_ path: AnyKeyPath, of storage: AnyObject) {
    provenance.add(state: ObjectIdentifier(storage))
    add(path)
  }

  private func add(_ path: AnyKeyPath) {
    // Searched in a copy, because user code compares key paths and may add others in turn.
    let known = provenance.paths
    if !known.contains(path) { provenance.append(path) }
  }

  /// Notes that a closure transforms the values that are read.
  func addTransformation() { provenance.isTransformed = true }

  /// Notes the provenance of values that another attachment has collected.
  func add(_ other: Provenance) {
    for path in other.paths { add(path) }
    provenance.addStates(of: other)
    if other.isTransformed { addTransformation() }
    if other.hasMore { provenance.addUnlistedPaths() }
  }
}
