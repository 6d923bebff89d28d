extension SignalOperators where Self: SignalConvertible {
  /// Waits for the next value.
  ///
  /// - Returns: the value, or `nil` if the signal finishes first or the waiting task is cancelled.
  public func first() async -> Value? {
    // The cancel of the task may still be on its way to the main actor.
    if Task.isCancelled { return nil }
    let first = Promise<Value?>()
    let attachment = Propagation.makeAttachmentWithOrigins()
    let sink = Sink<Value>(
      attachment, receiveValue: { first.fulfil($0) }, receiveCompletion: { first.fulfil(nil) })
    // Without the prefix, a source that sends before `sink` returns would send more than one value.
    let subscription = sink.attach(to: signal.prefix(1))
    if !first.isFulfilled {
      // Not `nil` if a test waits for a value of a store under test.
      let didEndWait = attachment.origins.lazy.compactMap { $0.state }.first?
        .willWait { first.fulfil(nil) }
      first.didEndWait = {
        didEndWait?()
        subscription.cancel()
      }
    }
    return await first.value { first.fulfil(nil) }
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
