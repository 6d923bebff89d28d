/// The gate behind which a custom source sends, which keeps the order of deliveries.
///
/// The source may send at any time, even inside a delivery, and may keep its subscriber without
/// limit. What the source holds is therefore this gate, which queues values and can be emptied.
@MainActor final class SourceGate<Value> {
  private var subscriber: Subscriber<Value>?
  private var upstream: Subscription?
  private var isAttaching = true
  private var isFinished = false
  private var isReceiving = false
  private var queued = 0
  private var isOpen: Bool { !isFinished && subscriber?.isOpen() == true }

  init(_ subscriber: Subscriber<Value>) { self.subscriber = subscriber }

  /// Attaches the source and returns the subscription that ends it.
  func open(_ attach: @MainActor (Subscriber<Value>) -> Subscription) -> Subscription {
    let gate = Subscriber<Value>(
      receive: { self.receive($0) }, finish: { self.finish() }, isOpen: { self.isOpen },
      attachment: nil)
    // A sink that the source makes is part of the source. It does not belong to the owner of the
    // sink that is being attached.
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
