/// The gate behind which a custom source sends, which keeps the order of deliveries.
///
/// The source may send at any time, even inside a delivery, and may keep its `Subscriber` without
/// limit. It therefore gets one that sends to this gate instead of the subscriber itself. The gate
/// queues values, and a cancel drops them. `GateState` decides what passes. The gate holds the
/// subscriber and the source's subscription.
@MainActor final class SourceGate<Value> {
  private var state = GateState()
  private var subscriber: Subscriber<Value>?
  private var upstream: Subscription?
  /// The cause of values that come neither in a delivery nor from a task with a cause.
  private let cause = Propagation.causeOfSources

  init(_ subscriber: Subscriber<Value>) { self.subscriber = subscriber }

  /// Attaches the source and returns the subscription that ends it.
  func open(_ attach: @MainActor (Subscriber<Value>) -> Subscription) -> Subscription {
    let gate = Subscriber<Value>(
      receive: { self.receive($0) }, finish: { self.finish() },
      isOpen: { self.state.isOpen && self.subscriber?.isOpen() == true }, attachment: nil)
    // Sinks and tasks that the source makes are part of the source. They belong neither to the
    // owner of the sink that is being attached nor to what attaches it.
    let upstream = Propagation.withoutOwner { TaskOrigin.without { attach(gate) } }
    switch state.attached() {
    case .keep: self.upstream = upstream
    case .end: upstream.end()
    }
    return Subscription { self.close() }
  }

  private func receive(_ value: Value) {
    switch state.send(isDuringDelivery: Propagation.isDelivering) {
    case .pass:
      Propagation.nested(in: Propagation.Context(cause: TaskOrigin.cause ?? cause)) {
        subscriber?.receive(value)
      }
      state.hasPassed()
    case .wait:
      // The subscriber of a closed gate is gone, so what still waits is dropped.
      Propagation.enqueue(in: Propagation.context) { self.subscriber?.receive(value) }
    case .drop: break
    }
  }

  private func finish() {
    switch state.finish() {
    case .pass: end()
    case .wait: Propagation.send { self.end() }
    case .drop: break
    }
  }

  private func end() {
    let subscriber = subscriber
    close()
    subscriber?.finish()
  }

  private func close() {
    let held = (subscriber.take(), upstream.take())
    if state.close() == .end { held.1?.end() }
  }
}
