extension SignalConvertible {
  /// Calls a closure with each value until the subscription is cancelled or released.
  ///
  ///     let subscription = store.publisher.draft.sink { print("draft:", $0) }
  ///
  /// Values arrive in order, subscribers are told in the order in which they subscribed (S1), and
  /// what the closure writes or sends is told after the current value has reached everyone (S5).
  ///
  /// - Parameter receiveValue: is kept until cancel or finish, and then released.
  public func sink(_ receiveValue: @escaping @MainActor (Value) -> Void) -> Subscription {
    sink(receiveCompletion: {}, receiveValue: receiveValue)
  }

  /// Calls one closure with each value and another, once, when the signal has finished.
  ///
  /// - Parameters:
  ///   - receiveCompletion: is not called after a cancel. A signal that has finished already
  ///     calls it at once (S11).
  ///   - receiveValue: is kept until cancel or finish, and then released.
  public func sink(
    receiveCompletion: @escaping @MainActor () -> Void,
    receiveValue: @escaping @MainActor (Value) -> Void
  ) -> Subscription {
    let sink = Sink(receiveValue: receiveValue, receiveCompletion: receiveCompletion)
    return sink.attach(to: signal)
  }
}

/// The end of a chain: the gate that nothing passes after a cancel, a finish or a release (S4).
@MainActor final class Sink<Value> {
  private var receiveValue: (@MainActor (Value) -> Void)?
  private var receiveCompletion: (@MainActor () -> Void)?
  private var upstream: Subscription?
  private let owner = Propagation.owner
  /// What its values are made of, for its owner.
  private var readPaths: ReadPaths?

  init(
    receiveValue: @escaping @MainActor (Value) -> Void,
    receiveCompletion: @escaping @MainActor () -> Void
  ) {
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
    owner?.hasGainedSink()
  }

  func attach(to signal: Signal<Value>) -> Subscription {
    Propagation.nested {
      let outer = Propagation.readPaths
      if owner != nil { readPaths = ReadPaths() }
      Propagation.readPaths = readPaths
      let upstream = signal.attach(
        Subscriber(
          receive: { self.receive($0) }, finish: { self.finish() },
          isOpen: { self.receiveValue != nil }))
      Propagation.readPaths = outer
      if receiveValue == nil { upstream.end() } else { self.upstream = upstream }
    }
    // Made last: until here nobody can cancel.
    return Subscription { self.end() }
  }

  private func receive(_ value: Value) {
    guard let receiveValue else { return }
    if let owner {
      owner.deliver(value, from: readPaths?.all ?? []) { value in
        // What the owner reports may have been answered by a cancel (S4).
        if self.receiveValue != nil { receiveValue(value) }
      }
    } else if Propagation.owner == nil {
      receiveValue(value)
    } else {
      Propagation.withoutOwner { receiveValue(value) }
    }
  }

  private func finish() {
    guard receiveValue != nil else { return }
    let receiveCompletion = receiveCompletion
    end()
    guard let receiveCompletion else { return }
    if let owner {
      if owner.isOpen { owner.owning(receiveCompletion) }
    } else {
      Propagation.withoutOwner(receiveCompletion)
    }
  }

  private func end() {
    // Held beyond the assignment: what they captured may come back here when it is released. Not
    // by `take`, for which generic code looks up the types of closures and wraps them.
    let held = (receiveValue, receiveCompletion, upstream)
    (receiveValue, receiveCompletion, upstream) = (nil, nil, nil)
    held.2?.end()
    if held.0 != nil { owner?.hasLostSink() }
  }
}
