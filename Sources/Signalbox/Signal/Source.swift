/// Where an event signal begins: whoever holds it sends, whoever subscribed receives.
@MainActor final class Source<Value> {
  private var subscribers = OrderedList<Subscriber<Value>>()
  private(set) var isFinished = false

  var hasSubscribers: Bool { !subscribers.isEmpty }

  nonisolated init() {}

  func attach(_ subscriber: Subscriber<Value>) -> Subscription {
    guard !isFinished else {
      subscriber.finish()
      return .empty
    }
    let order = Propagation.nextOrder()
    subscribers.append(subscriber, order: order)
    return Subscription { _ = self.subscribers.remove(order: order) }
  }

  /// - Parameter context: what the delivery follows from, if it is not the one under way.
  func send(_ value: Value, in context: Propagation.Context? = nil) {
    guard !isFinished else { return }
    let limit = Propagation.currentOrder
    if Propagation.isDelivering {
      Propagation.enqueue(in: context ?? Propagation.context) { self.deliver(value, upTo: limit) }
    } else {
      Propagation.begin(in: context ?? Propagation.Context())
      deliver(value, upTo: limit)
      Propagation.end()
    }
  }

  func finish() {
    guard !isFinished else { return }
    isFinished = true
    Propagation.send {
      for subscriber in self.subscribers.removeAll() { subscriber.finish() }
    }
  }

  private func deliver(_ value: Value, upTo limit: UInt64) {
    let count = subscribers.beginReading()
    defer { subscribers.endReading() }
    for position in 0..<count {
      subscribers.element(at: position, upTo: limit)?.receive(value)
    }
  }
}
