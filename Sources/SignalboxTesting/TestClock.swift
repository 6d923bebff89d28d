import Foundation
import Signalbox

/// A clock that stands still until a test moves it.
///
///     let clock = TestClock()
///     let store = TestStore(state: .init(), interactor: Editor(clock: clock))
///     store.draft = "he"
///     await clock.advance(by: .milliseconds(300))       // takes no time
///     #expect(saved == ["he"])
///
/// Whoever sleeps wakes in the order of the deadlines, then in that of going to sleep, and after
/// each the test stores of the test settle before the next one wakes (T3). Of work that went to
/// sleep between the same two wake-ups, which no order of threads can tell apart, that comes first
/// which began first. A sleeper that is cancelled throws at once. What has just been dispatched may not have gone to sleep yet; that is
/// waited for first.
///
/// It knows what sleeps on behalf of a test store. A task of the test's own that sleeps here is
/// woken as well, and not waited for.
public final class TestClock: Clock, Sendable {
  /// A time on a test clock, counted from the moment at which it was made.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// How long after the clock was made.
    public let offset: Duration

    /// The instant so much later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// How long from this instant to another.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether one is before the other.
    public static func < (l: Instant, r: Instant) -> Bool { l.offset < r.offset }
    /// The time since the clock was made: `0.3 seconds`.
    public var description: String { "\(offset)" }
  }

  private struct Sleeper {
    let deadline: Instant
    /// How often somebody had been woken when it went to sleep.
    let round: Int
    /// The work that sleeps; for an alarm half a step after the last that had begun.
    ///
    /// Threads race each other to the clock: only the order in which work begins is the same each
    /// time.
    let rank: Double
    let number: Int
    let wake: Wake

    static func < (l: Sleeper, r: Sleeper) -> Bool {
      l.deadline == r.deadline
        ? (l.round, l.rank, l.number) < (r.round, r.rank, r.number) : l.deadline < r.deadline
    }
  }

  private enum Wake {
    case task(CheckedContinuation<Void, any Error>, InFlight.Piece?)
    case call(@MainActor () -> Void)
  }

  private struct Schedule {
    var now = Instant(offset: .zero)
    var lastNumber = 0
    var round = 0
    var sleepers: [Sleeper] = []
    /// Those who were cancelled before they had gone to sleep.
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

  /// Makes a clock that nobody sleeps by yet.
  public init() {}

  /// The time, which only `advance(by:)` and `run()` move.
  public var now: Instant { locked { $0.now } }

  /// Any duration can be told from another.
  public var minimumResolution: Duration { .zero }

  /// Sleeps until the test has moved the clock so far.
  ///
  /// - Throws: `CancellationError`, as soon as the task is cancelled.
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

  /// Moves the clock, and wakes one after the other whose time has come (T3).
  ///
  /// It returns when the test stores of this test have settled.
  ///
  /// - Parameters:
  ///   - duration: how far; a negative one is treated as zero.
  ///   - timeout: how long to wait, in real time, for what has begun to end or to go to sleep on a
  ///     test clock. What hangs elsewhere is a failure, by name, at the caller's line.
  ///   - fileID: the caller's place, as are the rest.
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

  /// Moves the clock until nobody sleeps any more.
  ///
  /// Work that goes to sleep again for ever never ends: that is a failure after ten thousand times.
  ///
  /// - Parameters:
  ///   - timeout: see `advance(by:)`, as for the rest.
  ///   - fileID: the caller's place.
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
          \(call) has woken sleepers \(woken) times and come to \(now), and somebody always goes \
          to sleep again. Advance by as much as the test is about.
          """)
      }
    }
    locked { schedule in
      if let target { schedule.now = max(schedule.now, target) }
    }
    if let busy {
      place.fail(
        """
        \(call) waited \(timeout) for what neither ended nor went to sleep on a test clock: \
        \(listed(busy)). Let the test answer what it waits for first.
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
