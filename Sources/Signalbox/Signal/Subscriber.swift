/// The receiving end of a signal, to which a source sends its values.
///
/// `Signal.init(_:)` passes one to a custom source for each of its subscribers. The source calls
/// both methods on the main actor.
@MainActor public struct Subscriber<Value> {
  let receiveValue: @MainActor (Value) -> Void
  let receiveFinish: @MainActor () -> Void
  /// Whether the subscriber still wants values.
  ///
  /// A subscriber that wants no more while it is being attached has no subscription to cancel yet.
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

  // `receive` and `finish` are inlined. For each call of a method of a generic struct, generic code
  // that is not specialised looks up the metadata of the struct. The lookup would cost more than all
  // the rest of a delivery.

  /// Delivers one value.
  ///
  /// Inside a delivery, the value waits until the current value has reached every subscriber (S5).
  /// After `finish()` or a cancel, it is ignored (S4, S11).
  @inline(__always) public func receive(_ value: Value) { receiveValue(value) }

  /// Finishes the signal, so later values are ignored (S11).
  @inline(__always) public func finish() { receiveFinish() }

  /// Makes a subscriber for another type of value, which passes a finish on unchanged.
  func pullback<Input>(_ receive: @escaping @MainActor (Input) -> Void) -> Subscriber<Input> {
    Subscriber<Input>(
      receive: receive, finish: receiveFinish, isOpen: isOpen, attachment: attachment)
  }
}
