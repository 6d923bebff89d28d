extension Signal {
  /// Gives what an async sequence gives, and finishes when it ends.
  ///
  /// Each subscriber has an iteration of its own: one task on the main actor, started with the
  /// subscription and cancelled with it. Order is kept and nothing is lost (S14).
  public init<S: AsyncSequence & Sendable>(_ sequence: S)
  where S.Element == Value, S.Failure == Never, Value: Sendable {
    self.init { subscriber in
      let task = Task.immediate { @MainActor in
        var iterator = sequence.makeAsyncIterator()
        // Asked each time: one that is always ready never suspends, where a cancel would be seen.
        while subscriber.isOpen(), let value = await iterator.next(isolation: MainActor.shared) {
          subscriber.receive(value)
        }
        // A stream hears of a cancel in its `next`, and only then tells its source.
        if Task.isCancelled { _ = await iterator.next(isolation: MainActor.shared) }
        subscriber.finish()
      }
      return Subscription { task.cancel() }
    }
  }

  /// Gives what an async sequence gives as `.success`, and the error that ends it as a last
  /// `.failure` (S16).
  ///
  /// Signals never fail; here the error is a value like others, and the signal finishes after it.
  public static func results<S: AsyncSequence & Sendable>(of sequence: S) -> Signal
  where Value == Result<S.Element, any Error>, S.Element: Sendable {
    Signal { subscriber in
      let task = Task.immediate { @MainActor in
        var iterator = sequence.makeAsyncIterator()
        do {
          while subscriber.isOpen(), let value = try await next(of: &iterator) {
            subscriber.receive(.success(value))
          }
          if Task.isCancelled { _ = try await next(of: &iterator) }
        } catch {
          subscriber.receive(.failure(error))
        }
        subscriber.finish()
      }
      return Subscription { task.cancel() }
    }
  }
}

/// Stays on the main actor between values that are there already, which saves a hop for each.
@MainActor private func next<I: AsyncIteratorProtocol>(of iterator: inout I) async throws
  -> I.Element?
{
  try await iterator.next(isolation: MainActor.shared)
}
