import Signalbox
import Synchronization

/// A clock that stands still and whose sleeps behave as a test says.
@MainActor final class OddClock: Clock {
  typealias Instant = SignalClock.Instant
  enum Sleep {
    case returns, `throws`
    case waits(StoreMoment)
  }

  private let sleep: @Sendable (Int) -> Sleep
  nonisolated let whenAsked = WhenAsked()
  // Not a `Mutex`, which the thread sanitizer does not see on Linux.
  nonisolated private let book = LockedValue((now: Instant(offset: .zero), sleeps: 0))
  /// The numbers of the sleeps that have begun.
  let begun = SignalLog<Int>()
  /// The sleeps at a moment that have ended.
  let ended = SignalLog<(number: Int, isCancelled: Bool)>()

  init(_ sleep: @escaping @Sendable (Int) -> Sleep) { self.sleep = sleep }

  nonisolated var now: Instant {
    whenAsked.run()
    return book.withLock { $0.now }
  }
  nonisolated var minimumResolution: Duration { .zero }
  nonisolated var sleeps: Int { book.withLock { $0.sleeps } }

  nonisolated func advance(by duration: Duration) {
    book.withLock { $0.now = $0.now.advanced(by: duration) }
  }

  nonisolated func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = book.withLock {
      $0.sleeps += 1
      return $0.sleeps - 1
    }
    await begun.add(number)
    switch sleep(number) {
    case .returns: break
    case .throws: throw Refusal()
    case .waits(let moment):
      await moment.arrival
      await ended.add((number, Task.isCancelled))
    }
  }
}

/// A closure that a clock runs once, when its time is next read.
final class WhenAsked: Sendable {
  private let body = Mutex<(@Sendable () -> Void)?>(nil)

  func set(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

  func run() {
    let body = body.withLock { $0.take() }
    body?()
  }
}
