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

  /// The number of wake-ups, the deadline and so on by which sleepers are ordered.
  private struct Position: Comparable {
    let deadline: Instant
    /// The number of wake-ups before the sleeper went to sleep.
    let round: Int
    /// The number of the sleeping work.
    ///
    /// A callback comes half a step after the work that began last. Sleepers are ordered by this
    /// number because threads race to the clock. Only the order in which work begins is the same in
    /// each run.
    let rank: Double
    let number: Int

    static func < (l: Position, r: Position) -> Bool {
      l.deadline == r.deadline
        ? (l.round, l.rank, l.number) < (r.round, r.rank, r.number) : l.deadline < r.deadline
    }
  }

  /// How a sleeper is woken.
  private enum Wake {
    case task(CheckedContinuation<Void, any Error>, ParkedTask?)
    case call(@MainActor () -> Void)
  }

  /// The state that the lock guards.
  private struct Schedule {
    var now = Instant(offset: .zero)
    var lastNumber = 0
    var round = 0
    /// The sleepers, sorted by their positions.
    var sleepers: [(position: Position, wake: Wake)] = []
    var positions: [Int: Position] = [:]
    /// The sleepers that were cancelled before they went to sleep.
    var cancelled: Set<Int> = []
    var hasHadSleepers = false
    var wasAdvanced = false
    /// The test that waits for sleepers.
    var activity: Activity?

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }

    mutating func add(_ number: Int, until deadline: Instant, _ piece: Int?, _ wake: Wake) {
      let position = Position(
        deadline: deadline, round: round,
        rank: piece.map(Double.init) ?? Double(Piece.lastNumber) + 0.5, number: number)
      sleepers.insert((position, wake), at: index(of: position))
      positions[number] = position
      hasHadSleepers = true
    }

    mutating func remove(_ number: Int) -> Wake? {
      positions.removeValue(forKey: number).map { sleepers.remove(at: index(of: $0)).wake }
    }

    private func index(of position: Position) -> Int {
      var (low, high) = (0, sleepers.count)
      while low < high {
        let middle = (low + high) / 2
        if sleepers[middle].position < position { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  private let lock = NSLock()
  // Guarded by `lock`.
  private nonisolated(unsafe) var schedule = Schedule()
  /// The test that made the clock, for calls from tasks that do not belong to a test.
  private let home = RunningTest.inSwiftTesting

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
    defer { locked { _ = $0.cancelled.remove(number) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // The task counts as parked before another thread can wake it.
        let parked = ParkedTask(for: .clock(self, until: deadline))
        let (outcome, activity) = locked { schedule -> (Result<Void, any Error>?, Activity?) in
          if schedule.cancelled.remove(number) != nil {
            return (.failure(CancellationError()), nil)
          }
          if deadline <= schedule.now { return (.success(()), nil) }
          schedule.add(number, until: deadline, parked?.piece.number, .task(continuation, parked))
          return (nil, schedule.activity)
        }
        activity?.hasChanged()
        guard let outcome else { return }
        parked?.wake()
        continuation.resume(with: outcome)
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    let wake = locked { schedule -> Wake? in
      if schedule.positions[number] == nil { schedule.cancelled.insert(number) }
      return schedule.remove(number)
    }
    guard case .task(let continuation, let parked) = wake else { return }
    parked?.wake()
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

  /// Waits until something sleeps on the clock, which may already be the case.
  ///
  /// - Parameters:
  ///   - timeout: how long to wait, in real time, while nothing happens.
  ///   - fileID: the source location of the call, together with the parameters below.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  /// - Returns: the earliest deadline; `nil` if nothing went to sleep.
  @discardableResult
  @MainActor public func nextSleep(
    timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Instant? {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let scope = scope
    locked { $0.activity = scope.activity }
    let end = await Patience(timeout, in: scope).wait { nextDeadline != nil }
    if end == .elapsed || end == .restless {
      place.fail(
        """
        nextSleep() waited \(timeout), and nothing went to sleep on the clock. Is this the clock \
        that the code under test uses?
        """, in: scope.test)
    }
    return nextDeadline
  }

  @MainActor private func wake(
    until target: Instant?, _ timeout: Duration, _ call: String, at place: CallSite
  ) async {
    let scope = scope
    scope.add(self)
    scope.willCall(from: place)
    locked { $0.wasAdvanced = true }
    var woken = 0
    while await scope.settle(timeout, call, at: place) {
      if target == nil, woken == 10_000, nextDeadline != nil {
        return place.fail(
          """
          \(call) has woken sleepers \(woken) times and come to \(now), and each time a task went \
          to sleep again. Advance the clock by a duration instead.
          """, in: scope.test)
      }
      guard let wake = nextDue(by: target) else { break }
      switch wake {
      case .task(let continuation, let parked):
        parked?.wake()
        continuation.resume()
      case .call(let body): body()
      }
      woken += 1
    }
    locked { schedule in
      if let target { schedule.now = max(schedule.now, target) }
    }
  }

  private func nextDue(by target: Instant?) -> Wake? {
    locked { schedule in
      schedule.round += 1
      guard let first = schedule.sleepers.first?.position,
        first.deadline <= (target ?? first.deadline)
      else { return nil }
      schedule.now = max(schedule.now, first.deadline)
      return schedule.remove(first.number)
    }
  }

  private var nextDeadline: Instant? { locked { $0.sleepers.first?.position.deadline } }

  /// The scope of the test that calls.
  @MainActor private var scope: TestScope {
    if RunningTest.inSwiftTesting == nil, let home { .scope(of: home) } else { .current }
  }

  /// A remark for failures, if the test advanced the clock and nothing ever slept on it.
  @MainActor var remark: String? {
    let (isUnused, now) = locked { ($0.wasAdvanced && !$0.hasHadSleepers, $0.now) }
    guard isUnused else { return nil }
    return """
      Nothing has ever slept on the test clock that the test advanced to \(now). Does the code under \
      test use it?
      """
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
    locked { $0.activity }?.hasChanged()
    // Released outside of the lock, because what the callback captured may call back.
    return { [weak self] in withExtendedLifetime(self?.locked { $0.remove(number) }) {} }
  }
}
