/// The gate behind which a custom source sends, which keeps the order of deliveries.
///
/// The source may send at any time, even inside a delivery, and may keep its `Subscriber`, which
/// therefore sends to this gate. What has to wait joins the queue of all; a cancel drops it.
@MainActor final class SourceGate<Value> {
  /// The subscriber; `nil` once it has received the finish or has cancelled.
  private var subscriber: Subscriber<Value>?
  /// The subscription of the source; `nil` while the source is being attached, and at the end.
  private var upstream: Subscription?
  /// The cause of values that come neither in a delivery nor from a task with a cause.
  private let cause = Propagation.causeOfSources
  private var isAttaching = true
  /// The number of values that the subscriber is receiving directly, or that wait.
  private var unreceived = 0
  /// Whether the source has finished, even if the finish still waits.
  private var isFinished = false

  init(_ subscriber: Subscriber<Value>) { self.subscriber = subscriber }

  var executor: (any TaskExecutor)? { subscriber?.attachment?.owner?.executor }

  func open(_ attach: @MainActor (Subscriber<Value>) -> Subscription) -> Subscription {
    let gate = Subscriber<Value>(
      receive: { self.receive($0) }, finish: { self.finish() },
      isOpen: { !self.isFinished && self.subscriber?.isOpen() == true }, attachment: nil)
    // What the source makes belongs neither to the owner of the sink nor to what attaches it now.
    let upstream = Propagation.withoutOwner { TaskOrigin.without { attach(gate) } }
    isAttaching = false
    if subscriber == nil { upstream.end() } else { self.upstream = upstream }
    return Subscription { self.close() }
  }

  /// Whether a value waits; while the source is being attached, it waits only for earlier values.
  private var mustWait: Bool { isAttaching ? unreceived > 0 : Propagation.isDelivering }

  private func receive(_ value: Value) {
    guard !isFinished, subscriber != nil else { return }
    if mustWait {
      unreceived += 1
      Propagation.enqueue(in: Propagation.context) { self.pass(value) }
    } else {
      Propagation.nested(in: Propagation.Context(cause: TaskOrigin.cause ?? cause)) {
        unreceived += 1
        pass(value)
      }
    }
  }

  private func pass(_ value: Value) {
    subscriber?.receive(value)
    unreceived -= 1
  }

  private func finish() {
    guard !isFinished, subscriber != nil else { return }
    isFinished = true
    if isAttaching, unreceived == 0 { end() } else { Propagation.send { self.end() } }
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
