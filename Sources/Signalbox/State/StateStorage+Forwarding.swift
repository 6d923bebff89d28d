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
    placement?.forwarded.append(ForwardedChange(target, writer, isObserved: isObserved))
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

/// A change in place that a forwarding storage has passed on.
@MainActor struct ForwardedChange<State> {
  let target: StateStorage<State>
  let writer: any Writer
  let isObserved: Bool

  init(_ target: StateStorage<State>, _ writer: any Writer, isObserved: Bool) {
    self.target = target
    self.writer = writer
    self.isObserved = isObserved
  }
}
