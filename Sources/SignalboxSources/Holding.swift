public import Signalbox

extension SignalOperators where Self: SignalConvertible, Value: Sendable {
  /// The values from now on, for a `for await` loop that may be too slow for all of them (E7).
  ///
  ///     for await frame in camera.holding(newest: 2, lost: { store.dropped = $0 }) {
  ///       await encode(frame)
  ///     }
  ///
  /// The call subscribes. A state signal starts with its current value. The stream ends when the
  /// signal finishes. It unsubscribes when it is released or when the task that iterates is
  /// cancelled. Without a need to lose values, use `values`.
  ///
  /// - Parameters:
  ///   - count: the number of values that wait for the loop at most. When one more arrives, the
  ///     oldest is lost. Zero or a negative number traps with a message.
  ///   - lost: is called for each value that is lost, with the number of values lost so far. It is
  ///     kept as long as the subscription.
  public func holding(
    newest count: Int, lost: @escaping @MainActor (Int) -> Void = { _ in }
  ) -> AsyncStream<Value> {
    // Not `precondition`, which prints no message in a release build.
    if count < 1 {
      fatalError("holding(newest: \(count)): a loop needs at least one value that waits for it.")
    }
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(count))
    var losses = 0
    let subscription = includingCurrent().sink(
      receiveCompletion: { continuation.finish() },
      receiveValue: { value in
        guard case .dropped = continuation.yield(value) else { return }
        losses += 1
        lost(losses)
      })
    continuation.onTermination = { _ in subscription.cancel() }
    return stream
  }
}
