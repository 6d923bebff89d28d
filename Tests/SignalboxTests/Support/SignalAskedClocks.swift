import Signalbox
import Synchronization

/// A closure that a clock runs once, when its time is next read.
final class WhenAsked: Sendable {
  private let body = Mutex<(@Sendable () -> Void)?>(nil)

  func set(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

  func run() {
    let body = body.withLock { $0.take() }
    body?()
  }
}

/// A clock that counts how often its time is read.
final class AskedClock: Clock {
  typealias Instant = SignalClock.Instant

  let whenAsked = WhenAsked()
  private let reads = Mutex(0)
  var minimumResolution: Duration { .zero }
  var timesAsked: Int { reads.withLock { $0 } }

  var now: Instant {
    reads.withLock { $0 += 1 }
    whenAsked.run()
    return Instant(offset: .zero)
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}

/// A clock that shows at once who waits for it, because it needs no task, and that never calls back.
final class CallClock: CallbackClock {
  typealias Instant = SignalClock.Instant

  private let time = Mutex(Instant(offset: .zero))
  private let calls = Mutex((last: 0, waiting: Set<Int>()))
  let whenAsked = WhenAsked()
  var minimumResolution: Duration { .zero }

  var now: Instant {
    whenAsked.run()
    return time.withLock { $0 }
  }

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
