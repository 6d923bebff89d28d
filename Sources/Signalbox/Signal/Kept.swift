/// A value that an operator keeps for later, with what caused it.
@MainActor struct Kept<Value> {
  private let value: Value
  private let cause = Propagation.currentCause

  init(_ value: Value) { self.value = value }

  /// Delivers the value with its own cause, whatever happens to run now.
  func deliver(_ receive: (Value) -> Void) {
    Propagation.resume(cause) { receive(value) }
  }
}
