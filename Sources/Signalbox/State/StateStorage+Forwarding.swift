/// A storage without a state of its own, which passes each access on to that of a writer.
///
///     code ──▶ forwarding storage ──▶ who accesses it now? ──▶ storage of that writer
///
/// Its flags say that the state is away, so an access of any other state pays nothing for this.
extension StateStorage {
  /// The writer that accesses the state now, and its storage; `nil` if this is an ordinary storage.
  var forwardingTarget: (storage: StateStorage, writer: any Writer)? {
    guard isForwarding, let writer = placement?.writer?() else { return nil }
    return (detachedTarget(of: writer), writer)
  }

  func beginForwarded(_ range: ByteRange) {
    guard let (target, writer) = forwardingTarget else { return }
    let isObserved = !target.isQuiet && target.beginInPlace(range, by: writer)
    // Held until the storage is notified, so nothing else can change the memory, or free it.
    target.hold(writer)
    placement?.forwarded.append((target, writer, isObserved))
    unsafe memory = target.memory
  }

  /// Ends a change in place, and notifies the writer's storage if that is observed.
  func endForwarded(_ tell: (StateStorage, any Writer) -> Void) {
    guard let change = placement?.forwarded.popLast() else { return }
    if let outer = placement?.forwarded.last { unsafe memory = outer.target.memory }
    change.target.release()
    if change.isObserved { tell(change.target, change.writer) }
  }
}
