import Signalbox
import SignalboxTrace

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

  private let schedule = LockedValue(SleepSchedule())
  private let tasks = WaitingTasks<Void>()
  /// The test that made the clock, for calls from tasks that do not belong to a test.
  private let home = ExploredScope.current?.test ?? .inSwiftTesting

  /// Makes a clock that shows the time zero and has no sleepers.
  public init() {}

  /// The current time.
  ///
  /// Only `advance(by:)` and `run()` change it.
  public var now: Instant { schedule.withLock { $0.now } }

  /// Zero, because the clock tells any two durations apart.
  public var minimumResolution: Duration { .zero }

  /// Sleeps until the test has advanced the clock to the deadline.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let number = schedule.withLock { schedule in
      deadline <= schedule.now ? nil : schedule.add(until: deadline, .task(of: .current))
    }
    guard let number else { return }
    try await tasks.wait(number, for: .clock(self, until: deadline)) { cancel(number) }
  }

  @discardableResult private func cancel(_ number: Int) -> SleepSchedule.Sleeper? {
    let sleeper = schedule.withLock { $0.remove(number) }
    if case .task? = sleeper?.wake { tasks.resume(number, with: .failure(CancellationError())) }
    return sleeper
  }

  /// Advances the clock and wakes the sleepers whose deadlines have come, one by one (T3).
  ///
  /// Returns when the test stores of this test have settled.
  ///
  /// - `duration`: how far to advance. A negative duration is treated as zero.
  /// - `timeout`: how long to wait, in real time, until each piece of work ends or sleeps on a test
  ///   clock. Work that hangs elsewhere is a failure at the caller's line, which names the work.
  public func advance(
    by duration: Duration, timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let target = now.advanced(by: max(duration, .zero))
    await wake(until: target, timeout, "advance(by: \(duration))", at: site)
  }

  /// Advances the clock until it has no more sleepers.
  ///
  /// Work that always goes to sleep again is a failure after 10,000 wake-ups. The timeout is that of
  /// `advance(by:)`.
  public func run(
    timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await wake(until: nil, timeout, "run()", at: site)
  }

  /// Waits until something sleeps on the clock, which may already be the case.
  ///
  /// - `timeout`: how long to wait, in real time, while nothing happens.
  /// - Returns: the earliest deadline; `nil` if nothing went to sleep.
  @discardableResult
  @MainActor public func nextSleep(
    timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Instant? {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let scope = scope
    tasks.report(to: scope.activity)
    let end = await Patience(timeout, in: scope).wait { nextDeadline != nil }
    if end == .elapsed || end == .restless {
      let reason = scope.idleness.map { ": \($0)" } ?? " waited \(timeout)"
      site.fail(
        """
        nextSleep()\(reason), and nothing went to sleep on the clock. Is this the clock \
        that the code under test uses?
        """, in: scope.test)
    }
    return nextDeadline
  }

  @MainActor private func wake(
    until target: Instant?, _ timeout: Duration, _ call: String, at site: CallSite
  ) async {
    let scope = scope
    scope.add(self)
    scope.willCall(from: site)
    schedule.withLock { $0.wasAdvanced = true }
    TestInput.note(
      .advanced(by: target.map { now.duration(to: $0) }), of: scope.stores.map(\.eventNumbers))
    var woken = 0
    while await scope.settle(timeout, call, at: site) {
      if target == nil, woken == 10_000, nextDeadline != nil {
        return site.fail(
          """
          \(call) has woken sleepers \(woken) times and come to \(now), and each time a task went \
          to sleep again. Advance the clock by a duration instead.
          """, in: scope.test)
      }
      guard let sleeper = nextDue(by: target) else { break }
      wake(sleeper)
      woken += 1
    }
    schedule.withLock { schedule in
      if let target { schedule.now = max(schedule.now, target) }
    }
  }

  private func nextDue(by target: Instant?) -> SleepSchedule.Sleeper? {
    schedule.withLock { schedule in
      schedule.round += 1
      guard let first = schedule.sleepers.first?.position,
        first.deadline <= (target ?? first.deadline)
      else { return nil }
      schedule.now = max(schedule.now, first.deadline)
      return schedule.remove(first.number)
    }
  }

  /// The sleepers that wake next, which have one deadline, in the order in which they wake.
  var due: [(number: Int, deadline: Instant, work: String?)] {
    schedule.withLock { schedule in
      guard let deadline = schedule.sleepers.first?.position.deadline else { return [] }
      return schedule.sleepers.prefix { $0.position.deadline == deadline }
        .map { ($0.position.number, deadline, $0.wake.work?.name) }
    }
  }

  @MainActor func wake(_ number: Int) {
    let sleeper = schedule.withLock { schedule -> SleepSchedule.Sleeper? in
      guard let position = schedule.positions[number] else { return nil }
      schedule.wasAdvanced = true
      schedule.round += 1
      schedule.now = max(schedule.now, position.deadline)
      return schedule.remove(number)
    }
    if let sleeper { wake(sleeper) }
  }

  /// Ends the sleep of all tasks with an error, and drops all callbacks.
  @MainActor func cancelSleepers() {
    for number in schedule.withLock({ $0.positions.keys.sorted() }) {
      if case .call(_, let drop)? = cancel(number)?.wake { drop() }
    }
  }

  @MainActor private func wake(_ sleeper: SleepSchedule.Sleeper) {
    switch sleeper.wake {
    case .task: tasks.resume(sleeper.position.number, with: .success(()))
    case .call(let body, _): body()
    }
  }

  private var nextDeadline: Instant? { schedule.withLock { $0.sleepers.first?.position.deadline } }

  @MainActor private var scope: TestScope { .current(for: home) }

  @MainActor var advice: String? {
    nextDeadline.map { "Something sleeps on a test clock until \($0). Advance the clock." }
  }

  /// A remark for failures, if the test advanced the clock and nothing ever slept on it.
  @MainActor var remark: String? {
    let (isUnused, now) = schedule.withLock { ($0.wasAdvanced && !$0.hasHadSleepers, $0.now) }
    guard isUnused else { return nil }
    return """
      Nothing has ever slept on the test clock that the test advanced to \(now). Does the code under \
      test use it?
      """
  }
}

extension TestClock: CallbackClock {
  @MainActor package func call(
    at deadline: Instant, _ body: @escaping @MainActor () -> Void,
    drop: @escaping @MainActor () -> Void
  ) -> @MainActor () -> Void {
    let number = schedule.withLock { $0.add(until: deadline, .call(body, drop: drop)) }
    tasks.hasChanged()
    // Released outside of the lock, because what the callback captured may call back.
    return { [weak self] in
      withExtendedLifetime(self?.schedule.withLock { $0.remove(number) }) {}
    }
  }
}
