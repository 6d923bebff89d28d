/// The receiving end of a signal: what a source hands its values to.
///
/// A custom source gets one from `Signal.init(_:)`. Both methods are called on the main actor.
@MainActor public struct Subscriber<Value> {
  let receiveValue: @MainActor (Value) -> Void
  let receiveFinish: @MainActor () -> Void
  /// Whether anybody still listens: one who has had enough while being attached has no
  /// subscription yet to cancel.
  let isOpen: @MainActor () -> Bool

  init(
    receive: @escaping @MainActor (Value) -> Void,
    finish: @escaping @MainActor () -> Void,
    isOpen: @escaping @MainActor () -> Bool
  ) {
    receiveValue = receive
    receiveFinish = finish
    self.isOpen = isOpen
  }

  // Inlined, as `finish`: generic code that is not specialised looks up the metadata of a generic
  // struct for each call of a method of it, which cost more than all else that a value costs.

  /// Hands one value on.
  ///
  /// From inside a delivery the value waits until the current one has reached everyone (S5).
  /// After `finish()` or a cancel it is ignored (S4, S11).
  @inline(__always) public func receive(_ value: Value) { receiveValue(value) }

  /// Ends the signal; values that come after it are ignored (S11).
  @inline(__always) public func finish() { receiveFinish() }

  /// The same receiver for another kind of value, with the end passed on as it is.
  func pullback<Input>(_ receive: @escaping @MainActor (Input) -> Void) -> Subscriber<Input> {
    Subscriber<Input>(receive: receive, finish: receiveFinish, isOpen: isOpen)
  }
}
