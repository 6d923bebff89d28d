/// The receiving end of a signal, to which a source sends its values.
///
/// `Signal.init(_:)` passes one to a custom source for each of its subscribers. The source calls
/// both methods on the main actor.
@MainActor public struct Subscriber<Value> {
  let receiveValue: @MainActor (Value) -> Void
  let receiveFinish: @MainActor () -> Void
  /// Whether it still wants values; it cannot cancel while it is being attached.
  package let isOpen: @MainActor () -> Bool
  /// What an operator passes on to the subscribers that it makes for its inputs.
  let attachment: Attachment?

  init(
    receive: @escaping @MainActor (Value) -> Void,
    finish: @escaping @MainActor () -> Void,
    isOpen: @escaping @MainActor () -> Bool,
    attachment: Attachment?
  ) {
    receiveValue = receive
    receiveFinish = finish
    self.isOpen = isOpen
    self.attachment = attachment
  }

  // Both are inlined, because unspecialised generic code looks up the metadata of the struct for
  // each call, which would cost more than all the rest of a delivery.

  /// Delivers one value.
  ///
  /// Inside a delivery, the value waits until the current value has reached every subscriber (S5).
  /// After `finish()` or a cancel, it is ignored (S4, S11).
  @inline(__always) public func receive(_ value: Value) { receiveValue(value) }

  /// Finishes the signal, so later values are ignored (S11).
  @inline(__always) public func finish() { receiveFinish() }

  func pullback<Input>(_ receive: @escaping @MainActor (Input) -> Void) -> Subscriber<Input> {
    Subscriber<Input>(
      receive: receive, finish: receiveFinish, isOpen: isOpen, attachment: attachment)
  }
}
