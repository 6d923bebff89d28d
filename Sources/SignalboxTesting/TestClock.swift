import Foundation
import Signalbox

/// A clock that stands still until a test advances it.
///
///     let clock = TestClock()
///     let store = TestStore(state: .init(), interactor: Editor(clock: clock))
///     store.draft = "he"
///     await clock.advance(by: .milliseconds(300))       // takes no time
///     #expect(saved == ["he"])
///
/// Sleepers wake one by one, by deadline and then in the order in which they went to sleep. After
/// each one, the test stores of the test settle before the next one wakes (T3). Work that has just
/// been dispatched may not have gone to sleep yet, so the stores also settle before the first one
/// wakes. If several pieces of work went to sleep between the same two wake-ups, their order would
/// depend on the threads. The work that began first wakes first. A sleeper that is cancelled throws
/// at once.
///
/// The clock knows which sleepers belong to a test store. It also wakes a task that the test itself
/// started, but it does not wait for that task.
public final class TestClock: Clock, Sendable {
  /// A time on a test clock, counted from the moment at which the clock was made.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the clock was made.
    public let offset: Duration

    /// The instant that is later by a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// The duration from this instant to another.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether the first instant is before the second.
    public static func < (l: Instant, r: Instant) -> Bool { l.offset < r.offset }
    /// The time since the clock was made, as in `0.3 seconds`.
    public var description: String { "\(offset)" }
  }

  /// A task or a callback that waits for a deadline.
  private struct Sleeper {
    let deadline: Instant
    /// The number of wake-ups before it went to sleep.
    let round: Int
    /// The number of the sleeping work.
    ///
    /// A callback comes half a step after the work that began last. Sleepers are ordered by this
    /// number because threads race to the clock. Only the order in which work begins is the same in
    /// each run.
    let rank: Double
    let number: Int
    let wake: Wake

    static func < (l: Sleeper, r: Sleeper) -> Bool {
      l.deadline == r.deadline
        ? (l.round, l.rank, l.number) < (r.round, r.rank, r.number) : l.deadline < r.deadline
    }
  }

  /// How a sleeper is woken.
  private enum Wake {
    case task(CheckedContinuation<Void, any Error>, InFlight.Piece?)
    case call(@MainActor () -> Void)
  }

  /// The state that the lock guards.
  private struct Schedule {
    var now = Instant(offset: .zero)
    var lastNumber = 0
    var round = 0
    var sleepers: [Sleeper] = []
    /// The sleepers that were cancelled before they went to sleep.
    var cancelled: Set<Int> = []

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }

    mutating func add(_ number: Int, until deadline: Instant, _ piece: Int?, _ wake: Wake) {
      let sleeper = Sleeper(
        deadline: deadline, round: round,
        rank: piece.map(Double.init) ?? Double(InFlight.Piece.lastNumber) + 0.5, number: number,
        wake: wake)
      sleepers.insert(sleeper, at: sleepers.firstIndex { sleeper < $0 } ?? sleepers.endIndex)
    }
  }

  private let lock = NSLock()
  // Guarded by `lock`.
  private nonisolated(unsafe) var schedule = Schedule()

  /// Makes a clock that shows the time zero and has no sleepers.
  public init() {}

  /// The current time.
  ///
  /// Only `advance(by:)` and `run()` change it.
  public var now: Instant { locked { $0.now } }

  /// Zero, because the clock tells any two durations apart.
  public var minimumResolution: Duration { .zero }

  /// Sleeps until the test has advanced the clock to the deadline.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = locked { $0.nextNumber() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let piece = InFlight.Piece.current
        let outcome: Result<Void, any Error>? = locked { schedule in
          if schedule.cancelled.remove(number) != nil { return .failure(CancellationError()) }
          if deadline <= schedule.now { return .success(()) }
          schedule.add(number, until: deadline, piece?.number, .task(continuation, piece))
          return nil
        }
        if let outcome { continuation.resume(with: outcome) } else { piece?.park() }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    let sleeper = locked { schedule -> Sleeper? in
      guard let index = schedule.sleepers.firstIndex(where: { $0.number == number }) else {
        schedule.cancelled.insert(number)
        return nil
      }
      return schedule.sleepers.remove(at: index)
    }
    guard case .task(let continuation, let piece) = sleeper?.wake else { return }
    piece?.wake()
    continuation.resume(throwing: CancellationError())
  }

  /// Advances the clock and wakes the sleepers whose deadlines have come, one by one (T3).
  ///
  /// Returns when the test stores of this test have settled.
  ///
  /// - Parameters:
  ///   - duration: how far to advance. A negative duration is treated as zero.
  ///   - timeout: how long to wait, in real time, until each piece of work ends or sleeps on a test
  ///     clock. Work that hangs elsewhere is a failure at the caller's line, which names the work.
  ///   - fileID: the source location of the call, together with the parameters below.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func advance(
    by duration: Duration, timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let target = now.advanced(by: max(duration, .zero))
    await wake(until: target, timeout, "advance(by: \(duration))", at: place)
  }

  /// Advances the clock until it has no more sleepers.
  ///
  /// Work that always goes to sleep again is a failure after 10,000 wake-ups.
  ///
  /// - Parameters:
  ///   - timeout: see `advance(by:)`.
  ///   - fileID: the source location of the call, together with the parameters below.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func run(
    timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await wake(until: nil, timeout, "run()", at: place)
  }

  @MainActor private func wake(
    until target: Instant?, _ timeout: Duration, _ call: String, at place: CallSite
  ) async {
    let scope = TestScope.current
    var woken = 0
    var busy = await scope.settle(Timeout(timeout))
    while busy == nil, let wake = nextDue(by: target) {
      switch wake {
      case .task(let continuation, let piece):
        piece?.wake()
        continuation.resume()
      case .call(let body): body()
      }
      busy = await scope.settle(Timeout(timeout))
      woken += 1
      if target == nil, woken == 10_000 {
        return place.fail(
          """
          \(call) has woken sleepers \(woken) times and come to \(now), and each time a task went \
          to sleep again. Advance the clock by a duration instead.
          """)
      }
    }
    locked { schedule in
      if let target { schedule.now = max(schedule.now, target) }
    }
    if let busy {
      place.fail(
        """
        \(call) waited \(timeout) for work that neither ended nor slept on a test clock: \
        \(listed(busy)). First let the test answer what that work waits for.
        """)
    }
  }

  private func nextDue(by target: Instant?) -> Wake? {
    locked { schedule in
      schedule.round += 1
      guard let first = schedule.sleepers.first, first.deadline <= (target ?? first.deadline) else {
        return nil
      }
      schedule.sleepers.removeFirst()
      schedule.now = max(schedule.now, first.deadline)
      return first.wake
    }
  }

  private func locked<R>(_ body: (inout Schedule) -> R) -> R {
    lock.withLock { unsafe body(&schedule) }
  }
}

extension TestClock: CallbackClock {
  @MainActor package func call(at deadline: Instant, _ body: @escaping @MainActor () -> Void)
    -> @MainActor () -> Void
  {
    let number = locked { schedule in
      let number = schedule.nextNumber()
      schedule.add(number, until: deadline, nil, .call(body))
      return number
    }
    return { [weak self] in self?.locked { $0.sleepers.removeAll { $0.number == number } } }
  }
}
