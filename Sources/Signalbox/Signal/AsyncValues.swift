extension SignalOperators where Self: SignalConvertible {
  /// Waits for the next value.
  ///
  /// - Returns: the value, or `nil` if the signal finishes first or the waiting task is cancelled.
  public func first() async -> Value? {
    let waiter = FirstValue<Value>()
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter.start(signal, $0) }
    } onCancel: {
      waiter.cancel()
    }
    return waiter.value.take()
  }

  /// The values from now on, for a `for await` loop, with a given buffering policy (S15).
  ///
  /// The call subscribes. A state signal starts with its current value. The stream ends when the
  /// signal finishes. It unsubscribes when it is released or when the task that iterates is
  /// cancelled.
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

extension SignalOperators where Self: SignalConvertible, Value: Sendable {
  /// The values from now on, for a `for await` loop (S15).
  ///
  /// A state signal starts with its current value and keeps only the newest one, so a slow reader
  /// skips outdated values. An event signal buffers all values without limit.
  public var values: AsyncStream<Value> {
    values(bufferingPolicy: signal.derivation == nil ? .unbounded : .bufferingNewest(1))
  }
}

/// Waits until a value, a finish or a cancellation arrives, whichever comes first.
@MainActor private final class FirstValue<Value> {
  // Kept here and not passed through the continuation, because it need not be `Sendable`.
  var value: Value?
  private var continuation: CheckedContinuation<Void, Never>?
  private var subscription: Subscription?
  /// Called at the end of the wait, if a test waits for a value of a store under test.
  private var didEndWait: (@MainActor () -> Void)?

  func start(_ signal: Signal<Value>, _ continuation: CheckedContinuation<Void, Never>) {
    // The cancel of a task may have come already, or may still be on its way to the main actor.
    if Task.isCancelled { return continuation.resume() }
    self.continuation = continuation
    // Without the prefix, a source that sends before `sink` returns would send more than one value.
    let attachment = Propagation.makeAttachmentWithOrigins()
    let sink = Sink<Value>(
      attachment, receiveValue: { self.end($0) }, receiveCompletion: { self.end(nil) })
    let subscription = sink.attach(to: signal.prefix(1))
    guard self.continuation != nil else { return }
    self.subscription = subscription
    didEndWait = attachment.origins.lazy.compactMap { $0.state }.first?.willWait { self.end(nil) }
  }

  nonisolated func cancel() { MainQueue.run { self.end(nil) } }

  private func end(_ value: Value?) {
    guard let continuation = continuation.take() else { return }
    self.value = value
    continuation.resume()
    didEndWait.take()?()
    subscription.take()?.cancel()
  }
}
