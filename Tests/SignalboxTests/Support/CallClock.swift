import Signalbox
import Synchronization

/// A clock that shows at once who waits for it, because it needs no task, and that never calls back.
final class CallClock: CallbackClock {
  typealias Instant = SignalClock.Instant

  private let time = Mutex(Instant(offset: .zero))
  private let calls = Mutex((last: 0, waiting: Set<Int>()))
  var minimumResolution: Duration { .zero }

  var now: Instant { time.withLock { $0 } }

  /// The number of calls that were asked for and not cancelled.
  var waiting: Int { calls.withLock { $0.waiting.count } }

  func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}

  @MainActor func call(
    at deadline: Instant, _ body: @escaping @MainActor () -> Void,
    drop: @escaping @MainActor () -> Void
  ) -> @MainActor () -> Void {
    let number = calls.withLock { calls in
      calls.last += 1
      calls.waiting.insert(calls.last)
      return calls.last
    }
    return { _ = self.calls.withLock { $0.waiting.remove(number) } }
  }
}
