import Terminal

/// A clock that stands still until a test moves it.
package final class ManualClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    var offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (l: Instant, r: Instant) -> Bool { l.offset < r.offset }
  }

  private struct Book {
    var now = Instant(offset: .zero)
    var sleepers: [AsyncStream<Instant>.Continuation] = []
  }

  private let book = Locked(Book())

  package init() {}

  package var now: Instant { book.withLock(\.now) }
  package var minimumResolution: Duration { .zero }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let (instants, sleeper) = AsyncStream.makeStream(of: Instant.self)
    book.withLock {
      $0.sleepers.append(sleeper)
      sleeper.yield($0.now)
    }
    for await now in instants where now >= deadline { return }
    // The stream ends only for a task that was cancelled.
    throw CancellationError()
  }

  /// Moves the time on, also for those who are only on their way to sleep.
  package func advance(by duration: Duration) {
    book.withLock { book in
      book.now = book.now.advanced(by: duration)
      for sleeper in book.sleepers { sleeper.yield(book.now) }
    }
  }
}
