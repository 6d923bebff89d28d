/// A value that one caller waits for, and that comes once.
@MainActor final class Promise<Value> {
  private var result: Value?
  // Without the value, which need not be `Sendable`.
  private var continuation: CheckedContinuation<Void, Never>?
  /// Called at the end of the wait, before the caller continues.
  var didEndWait: (@MainActor () -> Void)?

  var isFulfilled: Bool { result != nil }

  /// Ends the wait with a value, unless it has ended.
  func fulfil(_ value: Value) {
    guard result == nil else { return }
    result = value
    // The caller continues on the main actor, so not before this returns.
    continuation.take()?.resume()
    didEndWait.take()?()
  }

  var value: Value {
    get async {
      if result == nil { await withCheckedContinuation { continuation = $0 } }
      return result!  // `fulfil` has set it
    }
  }

  /// Waits for the value; a cancel of the waiting task calls a closure, which may end the wait.
  func value(onCancel cancel: @escaping @MainActor @Sendable () -> Void) async -> Value {
    await withTaskCancellationHandler {
      await value
    } onCancel: {
      MainQueue.run(cancel)
    }
  }
}
