extension Signal {
  /// Makes a signal that delivers the elements of an async sequence and finishes when it ends.
  ///
  /// Each subscriber has its own iteration. The iteration is one task on the main actor, which
  /// starts with the subscription and is cancelled with it. The order is kept, and no element is
  /// lost. No element is requested after the signal has finished or the subscription was cancelled,
  /// except from an `AsyncStream` or an `AsyncThrowingStream` (S14). After every 100 elements, the
  /// iteration lets other tasks run, even if the sequence always has an element ready.
  public init<S: AsyncSequence & Sendable>(_ sequence: S)
  where S.Element == Value, S.Failure == Never, Value: Sendable {
    self.init { subscriber in
      let task = Task.immediate { @MainActor in
        await forEach(in: sequence, while: subscriber.isOpen) { subscriber.receive($0) }
        subscriber.finish()
      }
      return Subscription { task.cancel() }
    }
  }

  /// Makes a signal from an async sequence that can throw, with elements and errors as results.
  ///
  /// Each element is delivered as `.success`. Signals never fail, so an error is delivered as a
  /// `.failure`, and the signal finishes after it (S16). The sequence is iterated as in `init(_:)`.
  public static func results<S: AsyncSequence & Sendable>(of sequence: S) -> Signal
  where Value == Result<S.Element, any Error>, S.Element: Sendable {
    Signal { subscriber in
      let task = Task.immediate { @MainActor in
        do {
          try await forEach(in: sequence, while: subscriber.isOpen) {
            subscriber.receive(.success($0))
          }
        } catch {
          subscriber.receive(.failure(error))
        }
        subscriber.finish()
      }
      return Subscription { task.cancel() }
    }
  }
}
