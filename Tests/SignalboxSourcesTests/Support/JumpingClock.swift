import Signalbox
import Synchronization

/// A clock that a test moves by any distance at once, so it may pass deadlines.
final class JumpingClock: CallbackClock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (l: Instant, r: Instant) -> Bool { l.offset < r.offset }
  }

  private let time = Mutex(Instant(offset: .zero))
  @MainActor private var calls: [(number: Int, deadline: Instant, body: @MainActor () -> Void)] = []
  @MainActor private var lastNumber = 0

  var now: Instant { time.withLock { $0 } }
  var minimumResolution: Duration { .zero }
  @MainActor var deadlines: [Duration] { calls.map(\.deadline.offset) }

  nonisolated init() {}

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}

  @MainActor func call(
    at deadline: Instant, _ body: @escaping @MainActor () -> Void,
    drop: @escaping @MainActor () -> Void
  ) -> @MainActor () -> Void {
    lastNumber += 1
    let number = lastNumber
    calls.append((number, deadline, body))
    return { self.calls.removeAll { $0.number == number } }
  }

  /// Moves the time, and then makes the calls that were due before.
  @MainActor func jump(by duration: Duration) {
    time.withLock { $0 = $0.advanced(by: duration) }
    let due = calls.filter { $0.deadline <= now }
    calls.removeAll { $0.deadline <= now }
    for call in due { call.body() }
  }
}
