extension Signal {
  /// Makes a signal that delivers the elements of an async sequence and finishes when it ends.
  ///
  /// Each subscriber has its own iteration. The iteration is one task on the main actor, which
  /// starts with the subscription and is cancelled with it. The order is kept, and no element is
  /// lost. No element is requested after the signal has finished or the subscription was cancelled,
  /// except from an `AsyncStream` or an `AsyncThrowingStream` (S14). After every 100 elements, the
  /// iteration lets other tasks run, even if the sequence always has an element ready. Nothing is
  /// delivered before `sink` has returned, so that a subscriber can cancel at the first element.
  public init<S: AsyncSequence & Sendable>(_ sequence: S)
  where S.Element == Value, S.Failure == Never, Value: Sendable {
    self.init(iterating: { subscriber, executor, attached in
      await forEach(in: sequence, while: subscriber.isOpen, on: executor, willBegin: attached) {
        subscriber.receive($0)
      }
    })
  }

  /// Makes a signal from an async sequence that can throw, with elements and errors as results.
  ///
  /// Each element is delivered as `.success`. Signals never fail, so an error is delivered as a
  /// `.failure`, and the signal finishes after it (S16). The sequence is iterated as in `init(_:)`.
  public static func results<S: AsyncSequence & Sendable>(of sequence: S) -> Signal
  where Value == Result<S.Element, any Error>, S.Element: Sendable {
    Signal(iterating: { subscriber, executor, attached in
      do {
        try await forEach(
          in: sequence, while: subscriber.isOpen, on: executor, willBegin: attached
        ) {
          subscriber.receive(.success($0))
        }
      } catch {
        await attached()
        subscriber.receive(.failure(error))
      }
    })
  }

  /// - Parameter iterate: sends the values, and finishes when it returns. Before the first value,
  ///   it calls `attached`, which waits until `sink` has returned.
  private init(
    iterating iterate:
      @escaping @MainActor (
        Subscriber<Value>, _ executor: @MainActor () -> (any TaskExecutor)?,
        _ attached: @MainActor () async -> Void
      ) async -> Void
  ) {
    self.init(iterating: { subscriber, executor in
      var isAttaching = true
      defer { isAttaching = false }
      let task = TaskOrigin.without {
        Task.atOnce {
          // What comes after a yield is a job of its own, and `sink` does not suspend.
          let attached: @MainActor () async -> Void = { if isAttaching { await Task.yield() } }
          await iterate(subscriber, executor, attached)
          await attached()
          subscriber.finish()
        }
      }
      return Subscription { task.cancel() }
    })
  }
}
