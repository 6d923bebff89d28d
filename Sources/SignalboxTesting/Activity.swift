import Dispatch
import Foundation
import Signalbox

/// Counts what the work of one test does, and thereby knows when all of it waits.
///
///     a job is queued or running        the work is busy
///     a turn of the main actor passes,
///     and nothing has changed           the work rests: it waits for a clock, an endpoint,
///                                       other work, or something outside
///
/// Work that runs on the main actor runs no jobs elsewhere. A rest therefore includes a turn: what
/// was queued on the main actor before the turn has run after it.
final class Activity: Sendable {
  /// What a pause ends with.
  enum Occasion { case change, rest }

  /// Why a wait for a rest has ended.
  enum Rest { case resting, cancelled, restless }

  private struct State {
    var changes = 0
    var mostChanges = 1_000_000
    var jobs = 0
    var lastPause = 0
    var pauses: [Int: (occasion: Occasion, end: @Sendable () -> Void)] = [:]

    mutating func takePauses(_ isTaken: (Occasion) -> Bool) -> [@Sendable () -> Void] {
      if pauses.isEmpty { return [] }
      let taken = pauses.filter { isTaken($0.value.occasion) }
      for number in taken.keys { pauses[number] = nil }
      return taken.values.map(\.end)
    }
  }

  private let state = LockedValue(State())
  /// The queue on which the tasks of work run their jobs.
  let queue: DispatchQueue
  // `queue === DispatchQueue.main` would not do: on Linux, `main` is a new object each time.
  private let isOnMainQueue: Bool
  /// Records what a step of an exploration touches, if the exploration has to know.
  let footprints: FootprintRecorder?

  /// Makes the activity of work that does nothing yet.
  ///
  /// - Parameter onMainQueue: whether jobs run on the main queue, one at a time and always in the
  ///   same order.
  init(onMainQueue: Bool = false, footprints: FootprintRecorder? = nil) {
    self.footprints = footprints
    queue = onMainQueue ? .main : .global()
    isOnMainQueue = onMainQueue
  }

  /// Grows with every change, such as an event, a job, or a sleep that begins.
  var changes: Int { state.withLock { $0.changes } }

  private var isBusy: Bool { state.withLock { $0.jobs > 0 } }

  /// Records a change, on any thread.
  func hasChanged() { record { _ in } }

  func jobWasQueued() { record { $0.jobs += 1 } }

  func jobHasEnded() { record { $0.jobs -= 1 } }

  private func record(_ change: (inout State) -> Void) {
    let ends = state.withLock { state in
      change(&state)
      state.changes += 1
      let isAtRest = state.jobs == 0
      return state.takePauses { $0 == .change || isAtRest }
    }
    for end in ends { end() }
  }

  /// The number of changes without a rest after which work counts as restless.
  var mostChanges: Int {
    get { state.withLock { $0.mostChanges } }
    set { state.withLock { $0.mostChanges = newValue } }
  }

  /// How long a job may run without a change before its work counts as restless.
  struct JobLimits {
    /// While the process does nothing, because the job blocks its thread.
    var idle: Duration
    /// While the process computes.
    var busy: Duration
  }

  /// Waits until no job is queued or running, on the main actor or elsewhere.
  ///
  /// How long that takes depends on the machine and does not matter. Work is restless if it never
  /// stops, if it blocks a thread, or if one of its jobs never ends.
  ///
  /// - Parameters:
  ///   - limits: how long a job may run without a change.
  ///   - turns: the number of turns of the main actor without a change that make a rest.
  @MainActor func rest(
    _ limits: JobLimits, turns: @escaping @MainActor () -> Int
  ) async -> Rest {
    if isOnMainQueue { return await restOnMainQueue(turns) }
    let start = changes
    while !Task.isCancelled {
      let before = changes
      guard await jobsEnd(limits, from: start) else { break }
      await Self.turn()
      for _ in 1..<max(turns(), 1) where changes == before { await Self.turn() }
      if changes == before, !isBusy { return .resting }
      if changes - start > mostChanges { return .restless }
    }
    return Task.isCancelled ? .cancelled : .restless
  }

  /// Waits until a turn of the main queue, on which all jobs run, has changed nothing.
  ///
  /// The turns are callbacks. If the waiting task took them, each would change threads twice.
  @MainActor private func restOnMainQueue(_ turns: @escaping @MainActor () -> Int) async -> Rest {
    let start = changes
    await withCheckedContinuation { continuation in
      takeTurn(1, of: turns, since: (start, start)) { continuation.resume() }
    }
    if Task.isCancelled { return .cancelled }
    return changes - start > mostChanges ? .restless : .resting
  }

  /// Takes a turn of the main queue and further ones, until as many as wanted have changed nothing.
  ///
  /// - Parameters:
  ///   - number: the number of the turn among those without a change.
  ///   - turns: how many turns without a change are wanted.
  ///   - since: the changes at the start, and before the turn.
  ///   - end: called on the main queue when it is over.
  @MainActor private func takeTurn(
    _ number: Int, of turns: @escaping @MainActor () -> Int, since: (start: Int, last: Int),
    _ end: @escaping @Sendable () -> Void
  ) {
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        let now = self.changes
        let isQuiet = now == since.last && !self.isBusy
        if isQuiet && number >= turns() || now - since.start > self.mostChanges { return end() }
        self.takeTurn(isQuiet ? number + 1 : 1, of: turns, since: (since.start, now), end)
      }
    }
  }

  /// Waits until no job is queued or running.
  ///
  /// It waits on the main actor, so no time counts while other tests keep the main thread busy.
  ///
  /// - Returns: `false` if the task was cancelled, or if the work is restless.
  @MainActor private func jobsEnd(_ limits: JobLimits, from start: Int) async -> Bool {
    let slice = Duration.milliseconds(100)
    var (idle, busy) = (Duration.zero, Duration.zero)
    while isBusy {
      let (before, used) = (changes, Self.processorTime)
      await pause(until: .rest, atMost: slice)
      if Task.isCancelled || changes - start > mostChanges { return false }
      let hasChanged = changes != before
      busy = hasChanged ? .zero : busy + slice
      idle = hasChanged || Self.processorTime - used > 0.01 ? .zero : idle + slice
      if idle >= limits.idle || busy >= limits.busy { return false }
    }
    return true
  }

  /// The seconds for which the process has run on any processor.
  private static var processorTime: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

  /// Lets everything run that was queued on the main actor before.
  ///
  /// The continuation is resumed on the main thread, so not before this function has suspended.
  /// Awaiting the value of a task would not suspend at all if the task had ended already, and the
  /// task would not start while other work blocks all threads of the process.
  @MainActor static func turn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  /// Waits until an occasion comes, the duration is over, or the waiting task is cancelled.
  func pause(until occasion: Occasion, atMost duration: Duration) async {
    let once = OneResume()
    let number = state.withLock { state in
      state.lastPause += 1
      return state.lastPause
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        once.wait(by: continuation)
        let isOver = state.withLock { state in
          if occasion == .rest, state.jobs == 0 { return true }
          state.pauses[number] = (occasion, { once.resume() })
          return false
        }
        if isOver { return once.resume() }
        DispatchQueue.global().asyncAfter(deadline: .now() + duration / .seconds(1)) {
          once.resume()
        }
      }
    } onCancel: {
      once.resume()
    }
    state.withLock { $0.pauses[number] = nil }
  }
}

/// Resumes a continuation once, on any thread, even if the resume comes first.
private final class OneResume: Sendable {
  private enum Stage {
    case open
    case waiting(CheckedContinuation<Void, Never>)
    case over
  }

  private let stage = LockedValue(Stage.open)

  func wait(by continuation: CheckedContinuation<Void, Never>) {
    let isOver = stage.withLock { stage in
      if case .over = stage { return true }
      stage = .waiting(continuation)
      return false
    }
    if isOver { continuation.resume() }
  }

  func resume() {
    let continuation: CheckedContinuation<Void, Never>? = stage.withLock { stage in
      defer { stage = .over }
      if case .waiting(let continuation) = stage { return continuation }
      return nil
    }
    continuation?.resume()
  }
}
