extension SignalConvertible {
  /// Waits for the next value.
  ///
  /// - Returns: `nil` when the signal finishes without one, or when the waiting task is cancelled.
  public func first() async -> Value? {
    let waiter = FirstValue<Value>()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter.start(signal, $0) }
    } onCancel: {
      waiter.cancel()
    }
  }

  /// The values from now on, for a `for await` loop, with a buffer of one's choice (S15).
  ///
  /// It subscribes when it is called. A state signal starts with its current value. The stream
  /// ends when the signal finishes, and unsubscribes when it is released or the task that
  /// iterates is cancelled.
  public func values(
    bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy
  ) -> AsyncStream<Value> where Value: Sendable {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: bufferingPolicy)
    let subscription = includingCurrent().sink(
      receiveCompletion: { continuation.finish() }, receiveValue: { continuation.yield($0) })
    continuation.onTermination = { _ in subscription.cancel() }
    return stream
  }
}

extension SignalConvertible where Value: Sendable {
  /// The values from now on, for a `for await` loop (S15).
  ///
  /// Of a state signal: the current value first, then always the newest, so that a slow reader
  /// skips what is out of date. Of an event signal: every one, buffered without limit.
  public var values: AsyncStream<Value> {
    values(bufferingPolicy: signal.derivation == nil ? .unbounded : .bufferingNewest(1))
  }
}

/// Waits for one value, for whichever comes first: the value, the finish or the cancel.
@MainActor private final class FirstValue<Value> {
  private var continuation: CheckedContinuation<Value?, Never>?
  private var subscription: Subscription?
  private var isCancelled = false

  nonisolated init() {}

  func start(_ signal: Signal<Value>, _ continuation: CheckedContinuation<Value?, Never>) {
    guard !isCancelled, !Task.isCancelled else { return continuation.resume(returning: nil) }
    self.continuation = continuation
    let subscription = signal.sink(
      receiveCompletion: { self.resume(nil) }, receiveValue: { self.resume($0) })
    if self.continuation != nil { self.subscription = subscription }
  }

  nonisolated func cancel() {
    Subscription {
      self.isCancelled = true
      self.resume(nil)
    }.cancel()
  }

  private func resume(_ value: sending Value?) {
    continuation.take()?.resume(returning: value)
    subscription.take()?.cancel()
  }
}
