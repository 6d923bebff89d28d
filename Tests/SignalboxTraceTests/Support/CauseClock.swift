import Signalbox

/// A clock that calls back while the test moves it, or later than it should.
final class CauseClock: CallbackClock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (l: Instant, r: Instant) -> Bool { l.offset < r.offset }
  }

  private struct Call {
    let number: Int
    let deadline: Instant
    let body: @MainActor () -> Void
  }

  // Used on the main actor only.
  private nonisolated(unsafe) var time = Instant(offset: .zero)
  @MainActor private var calls: [Call] = []
  @MainActor private var made = 0

  var now: Instant { unsafe time }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    fatalError("The timers of the library call back.")
  }

  func call(
    at deadline: Instant, _ body: @escaping @MainActor () -> Void,
    drop: @escaping @MainActor () -> Void
  ) -> @MainActor () -> Void {
    made += 1
    let number = made
    calls.append(Call(number: number, deadline: deadline, body: body))
    return { self.calls.removeAll { $0.number == number } }
  }

  /// Moves the time without a call, as if the main actor were busy.
  @MainActor func pass(_ duration: Duration) { unsafe time = time.advanced(by: duration) }

  /// Moves the time and calls what is due.
  @MainActor func advance(by duration: Duration) {
    let end = now.advanced(by: duration)
    while let next = calls.min(by: { ($0.deadline, $0.number) < ($1.deadline, $1.number) }),
      next.deadline <= end
    {
      calls.removeAll { $0.number == next.number }
      unsafe time = max(now, next.deadline)
      next.body()
    }
    unsafe time = end
  }
}
