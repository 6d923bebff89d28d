import Terminal

/// A clock whose time advances by a second each time it is read.
final class TickingClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var seconds: Int

    func advanced(by duration: Duration) -> Instant {
      Instant(seconds: seconds + Int(duration.components.seconds))
    }
    func duration(to other: Instant) -> Duration { .seconds(other.seconds - seconds) }
    static func < (l: Instant, r: Instant) -> Bool { l.seconds < r.seconds }
  }

  private let seconds = Locked(0)
  private let onReading: @Sendable (Int) -> Void

  /// - Parameter onReading: Receives the time each time the clock is read.
  init(onReading: @escaping @Sendable (Int) -> Void = { _ in }) {
    self.onReading = onReading
  }

  var readings: Int { seconds.withLock(\.self) }

  var now: Instant {
    let now = seconds.withLock { seconds in
      seconds += 1
      return seconds
    }
    onReading(now)
    return Instant(seconds: now)
  }

  var minimumResolution: Duration { .seconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    while now < deadline {}
  }
}
