/// The origin of an event signal, which delivers each value to all of its subscribers.
@MainActor final class Source<Value>: Delivering {
  @safe @exclusivity(unchecked) var receivers = OrderedList<Receiver>()
  private(set) var isFinished = false

  var hasSubscribers: Bool { !receivers.isEmpty }

  nonisolated init() {}

  func attach(_ subscriber: Subscriber<Value>) -> Subscription {
    guard !isFinished else {
      subscriber.finish()
      return .empty
    }
    let order = Propagation.nextOrder()
    receivers.add(ValueReceiver(subscriber), order: order)
    return Subscription { _ = self.receivers.remove(order: order) }
  }

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
      for receiver in self.receivers.removeAll() { receiver.finish() }
    }
  }

  private func deliver(_ value: Value, upTo limit: UInt64) {
    deliver(upTo: limit) { receiver in
      // `attach` adds only receivers of this type.
      unsafe unsafeDowncast(receiver, to: ValueReceiver<Value>.self).receive(value)
    }
  }
}

/// A subscriber in a list, not generic, because that would look up metadata for every value.
@MainActor class Receiver {
  /// The attachment of the sink that it leads to, if the source needs it.
  var attachment: Attachment? { nil }

  func finish() {}
}

/// A receiver that knows the type of the values.
private final class ValueReceiver<Value>: Receiver {
  // Not the subscriber, because all of it would be retained for each value.
  let receive: @MainActor (Value) -> Void
  private let receiveFinish: @MainActor () -> Void

  init(_ subscriber: Subscriber<Value>) {
    receive = subscriber.receiveValue
    receiveFinish = subscriber.receiveFinish
  }

  override func finish() { receiveFinish() }
}
