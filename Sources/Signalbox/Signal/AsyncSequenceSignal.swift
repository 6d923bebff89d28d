extension Signal {
  /// Gives what an async sequence gives, and finishes when it ends.
  ///
  /// Each subscriber has an iteration of its own: one task on the main actor, started with the
  /// subscription and cancelled with it. Order is kept and nothing is lost (S14). No element is asked
  /// for after the signal has finished or the subscription was cancelled. A sequence that is always
  /// ready lets others onto the main actor after every 100 values.
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

  /// Gives what an async sequence gives as `.success`, and the error that ends it as a last
  /// `.failure` (S16).
  ///
  /// Signals never fail; here the error is a value like others, and the signal finishes after it.
  /// The sequence is iterated as by `init(_:)`.
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
