extension SignalOperators where Self: SignalConvertible {
  /// Calls a closure with each value until the subscription is cancelled or released.
  ///
  ///     let subscription = store.publisher.draft.sink { print("draft:", $0) }
  ///
  /// Values arrive in order. Subscribers are notified in the order in which they subscribed (S1). A
  /// value that the closure writes or sends is delivered after the current value has reached every
  /// subscriber (S5).
  ///
  /// - Parameter receiveValue: is kept until the subscription is cancelled or the signal finishes,
  ///   and is then released.
  public func sink(_ receiveValue: @escaping @MainActor (Value) -> Void) -> Subscription {
    sink(receiveCompletion: {}, receiveValue: receiveValue)
  }

  /// Calls one closure with each value, and another one once when the signal has finished.
  ///
  /// - Parameters:
  ///   - receiveCompletion: is not called after a cancel. If the signal has already finished, it is
  ///     called at once (S11).
  ///   - receiveValue: is kept until the subscription is cancelled or the signal finishes, and is
  ///     then released.
  public func sink(
    receiveCompletion: @escaping @MainActor () -> Void,
    receiveValue: @escaping @MainActor (Value) -> Void
  ) -> Subscription {
    let sink = Sink(receiveValue: receiveValue, receiveCompletion: receiveCompletion)
    return sink.attach(to: signal)
  }
}

/// The end of a chain, which lets nothing pass after a cancel, a finish or a release (S4).
@MainActor final class Sink<Value> {
  private var receiveValue: (@MainActor (Value) -> Void)?
  private var receiveCompletion: (@MainActor () -> Void)?
  private var upstream: Subscription?
  private let attachment: Attachment?

  init(
    _ attachment: Attachment? = Propagation.makeAttachment(),
    receiveValue: @escaping @MainActor (Value) -> Void,
    receiveCompletion: @escaping @MainActor () -> Void
  ) {
    self.attachment = attachment
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
    attachment?.owner?.hasGainedSink()
  }

  func attach(to signal: Signal<Value>) -> Subscription {
    Propagation.nested(in: Propagation.currentContext) {
      let upstream = signal.attach(
        Subscriber(
          receive: { self.receive($0) }, finish: { self.finish() },
          isOpen: { self.receiveValue != nil }, attachment: attachment))
      // The subscription of a sink that has finished meanwhile ends with its release.
      if receiveValue != nil { self.upstream = upstream }
    }
    // Made last, so the caller cannot cancel before the sink is attached.
    return Subscription { self.end() }
  }

  private func receive(_ value: Value) {
    guard let receiveValue else { return }
    if let attachment, let owner = attachment.owner {
      owner.deliver(value, from: attachment) { value in
        // The owner may have led to a cancel (S4).
        if self.receiveValue != nil { receiveValue(value) }
      }
    } else if !Propagation.hasOwner, !TaskOrigin.isUsed {
      receiveValue(value)
    } else {
      TaskOrigin.withoutCaller { Propagation.withoutOwner { receiveValue(value) } }
    }
  }

  private func finish() {
    guard receiveValue != nil else { return }
    let receiveCompletion = receiveCompletion
    end()
    guard let receiveCompletion else { return }
    TaskOrigin.withoutCaller {
      if let owner = attachment?.owner {
        if owner.isOpen { owner.owning(receiveCompletion) }
      } else {
        Propagation.withoutOwner(receiveCompletion)
      }
    }
  }

  private func end() {
    // Held beyond the assignment, because released objects may call back into this sink. `take` is
    // slower, because its generic code looks up the types of the closures and wraps them.
    let held = (receiveValue, receiveCompletion, upstream)
    (receiveValue, receiveCompletion, upstream) = (nil, nil, nil)
    held.2?.end()
    if held.0 != nil { attachment?.owner?.hasLostSink() }
  }
}
