/// Tells which parts of the state of a store are hidden from texts (D6).
///
/// Sinks of other stores keep it, so it lets go of the store when the store is closed.
final class StoreOrigin<State, Action>: OriginState {
  private var log: EventLog<State, Action>?

  init(_ log: EventLog<State, Action>) { self.log = log }

  func storeIsGone() { log = nil }

  override func willWait(orGiveUp giveUp: @escaping @MainActor () -> Void)
    -> (@MainActor () -> Void)?
  {
    (log?.storage.delegate as? any ChildEngine)?.follower?.willWaitForValue(orGiveUp: giveUp)
  }

  override func hides(_ value: Any, from path: AnyKeyPath?, isTransformed: Bool) -> Bool {
    log?.hides(value, from: path, isTransformed: isTransformed)
      ?? (Redaction.current.contents(of: State.self) != .open)
  }

  // Once the store is closed, it is no longer known whether it was a child in something redacted.
  override var isOpen: Bool { log?.isOpen ?? false }
}

extension EventLog {
  fileprivate var isOpen: Bool {
    !isHidden && Redaction.current.contents(of: State.self) == .open
  }

  /// What the types say decides, because the value may have been made of an earlier state.
  fileprivate func hides(_ value: Any, from path: AnyKeyPath?, isTransformed: Bool) -> Bool {
    if isHidden { return true }
    let redaction = Redaction.current
    let contents = redaction.contents(of: State.self)
    if contents == .open { return false }
    guard let state = storage.valueIfReadable else { return true }
    guard let path else { return contents == .redacted || redaction.isHiding(state) }
    if isTransformed, redaction.contents(of: type(of: path).valueType) == .redacted { return true }
    return redaction.hides(value, from: path, isTransformed: isTransformed, in: state)
  }
}

extension SignalConvertible {
  /// Calls a closure with each value, and with whether it comes from a hidden part of a state.
  ///
  /// - Parameter isTransformed: whether the closure may pass on a part of the value.
  func carry(
    isTransformed: Bool, _ receive: @escaping @MainActor (Value, _ isHidden: Bool) -> Void
  ) -> Subscription {
    let attachment = Propagation.makeAttachmentWithOrigins()
    let isHideable = Redaction.isHideable(Value.self)
    let sink = Sink<Value>(
      attachment,
      receiveValue: { value in
        receive(
          value,
          isHideable && Redaction.isInUse
            && attachment.hides(value, isTransformed: isTransformed))
      },
      receiveCompletion: {})
    return sink.attach(to: signal)
  }
}

extension Attachment {
  fileprivate func hides(_ value: Any, isTransformed: Bool) -> Bool {
    let isTransformed = isTransformed || self.isTransformed
    return origins.contains { origin in
      origin.state?.hides(value, from: origin.path, isTransformed: isTransformed) ?? true
    }
  }
}
