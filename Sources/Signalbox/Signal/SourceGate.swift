/// Where a source from outside meets the order of deliveries.
///
/// Whoever made the source may send whenever they like, from inside a delivery too, and may keep
/// the subscriber for ever. So what they hold is this gate: it queues, and it can be emptied.
@MainActor final class SourceGate<Value> {
  private var subscriber: Subscriber<Value>?
  private var upstream: Subscription?
  private var isAttaching = true
  private var isFinished = false
  private var isReceiving = false
  private var queued = 0
  private var isOpen: Bool { !isFinished && subscriber?.isOpen() == true }

  init(_ subscriber: Subscriber<Value>) { self.subscriber = subscriber }

  /// Attaches the source and returns what ends it.
  func open(_ attach: @MainActor (Subscriber<Value>) -> Subscription) -> Subscription {
    let gate = Subscriber<Value>(
      receive: { self.receive($0) }, finish: { self.finish() }, isOpen: { self.isOpen })
    // A sink inside the source is a part of it, and not one of the hook that subscribes.
    let upstream = Propagation.withoutOwner { attach(gate) }
    isAttaching = false
    if subscriber == nil { upstream.end() } else { self.upstream = upstream }
    return Subscription { self.close() }
  }

  func receive(_ value: Value) {
    guard !isFinished, let subscriber else { return }
    guard Propagation.isDelivering, !isAttaching || isReceiving || queued > 0 else {
      isReceiving = true
      defer { isReceiving = false }
      return Propagation.nested { subscriber.receive(value) }
    }
    queued += 1
    Propagation.enqueue(in: Propagation.context) {
      self.queued -= 1
      self.subscriber?.receive(value)
    }
  }

  func finish() {
    guard !isFinished else { return }
    isFinished = true
    if isAttaching, !isReceiving, queued == 0 { end() } else { Propagation.send { self.end() } }
  }

  private func end() {
    let subscriber = subscriber
    close()
    subscriber?.finish()
  }

  private func close() {
    let held = (subscriber.take(), upstream.take())
    held.1?.end()
  }
}
