import Dispatch
import Foundation
import Signalbox

/// Counts the jobs of one test's work, and so knows when the work rests.
///
/// Work rests when no job is queued or running and a turn of the main actor changes nothing. Then
/// it waits for a clock, an endpoint, other work or the outside. The turn is needed because work on
/// the main actor runs no jobs elsewhere. What was queued there before the turn has run after it.
final class Activity: Sendable {
  enum Occasion { case change, rest }

  enum Rest { case resting, cancelled, restless }

  private struct State {
    var changes = 0
    var rests = 0
    var mostChanges = 1_000_000
    var jobs = 0
    var lastPause = 0
    /// The first work that something outside of an exploration has resumed.
    var resumedWork: String?
    var pauses: [Int: (occasion: Occasion, continuation: CheckedContinuation<Void, Never>)] = [:]
  }

  private let state = LockedValue(State())
  let queue: DispatchQueue
  // `queue === DispatchQueue.main` would not do: on Linux, `main` is a new object each time.
  private let isOnMainQueue: Bool

  /// - Parameter onMainQueue: whether jobs run on the main queue, one at a time, in the same order.
  init(onMainQueue: Bool = false) {
    queue = onMainQueue ? .main : .global()
    isOnMainQueue = onMainQueue
  }

  /// Grows with every change, such as an event, a job, or a sleep that begins.
  var changes: Int { state.withLock { $0.changes } }

  var rests: Int { state.withLock { $0.rests } }

  private var isBusy: Bool { state.withLock { $0.jobs > 0 } }

  func hasChanged() { record { _ in } }

  // All that an exploration controls runs on the main queue: answers, timers, and the jobs of work,
  // child tasks and actors. So the outside has resumed a job that is queued elsewhere (I8).
  func jobWasQueued(by work: String) {
    let isFromOutside = isOnMainQueue && !MainQueue.isCurrent
    record { state in
      state.jobs += 1
      if isFromOutside, state.resumedWork == nil { state.resumedWork = work }
    }
  }

  var workResumedFromOutside: String? { state.withLock { $0.resumedWork } }

  func jobHasEnded() { record { $0.jobs -= 1 } }

  private func record(_ change: (inout State) -> Void) {
    let ended: [CheckedContinuation<Void, Never>] = state.withLock { state in
      change(&state)
      state.changes += 1
      if state.pauses.isEmpty { return [] }
      let ended = state.pauses.filter { $0.value.occasion == .change || state.jobs == 0 }
      for number in ended.keys { state.pauses[number] = nil }
      return ended.values.map(\.continuation)
    }
    for continuation in ended { continuation.resume() }
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
    var busy: Duration
  }

  /// Waits until no job runs and some turns of the main actor, one after the other, change nothing.
  ///
  /// Work is restless if it never stops, blocks a thread, or has a job that never ends.
  @MainActor func rest(
    _ limits: JobLimits, turns: @escaping @MainActor () -> Int
  ) async -> Rest {
    let end = isOnMainQueue ? await restOnMainQueue(turns) : await restOfJobs(limits, turns)
    if end == .resting { state.withLock { $0.rests += 1 } }
    return end
  }

  @MainActor private func restOfJobs(
    _ limits: JobLimits, _ turns: @escaping @MainActor () -> Int
  ) async -> Rest {
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

  // The turns are callbacks. If the waiting task took them, each would change threads twice.
  @MainActor private func restOnMainQueue(_ turns: @escaping @MainActor () -> Int) async -> Rest {
    let start = changes
    let standstill = Standstill()
    takeTurn(1, of: turns, since: (start, start), standstill)
    await standstill.wait()
    if Task.isCancelled { return .cancelled }
    return changes - start > mostChanges ? .restless : .resting
  }

  // `number` counts turns without a change. `since` has the changes at the start and before this.
  @MainActor private func takeTurn(
    _ number: Int, of turns: @escaping @MainActor () -> Int, since: (start: Int, last: Int),
    _ standstill: Standstill
  ) {
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        let now = self.changes
        let isQuiet = now == since.last && !self.isBusy
        if isQuiet && number >= turns() || now - since.start > self.mostChanges {
          return standstill.end()
        }
        self.takeTurn(
          isQuiet ? number + 1 : 1, of: turns, since: (since.start, now), standstill)
      }
    }
  }

  // Waits on the main actor, so no time counts while other tests keep the main thread busy. Returns
  // `false` if the task was cancelled or the work is restless.
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

  // Lets everything run that was queued on the main actor before, and always suspends: the main
  // thread resumes the continuation. Awaiting a task would not suspend if the task had ended, and
  // no task starts while other work blocks all threads.
  @MainActor static func turn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  func pause(until occasion: Occasion, atMost duration: Duration) async {
    let number = state.withLock { state in
      state.lastPause += 1
      return state.lastPause
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          // A cancellation that comes later finds the pause.
          if Task.isCancelled || occasion == .rest && state.jobs == 0 { return true }
          state.pauses[number] = (occasion, continuation)
          return false
        }
        if isOver { return continuation.resume() }
        DispatchQueue.global().asyncAfter(deadline: .now() + duration / .seconds(1)) {
          [weak self] in self?.endPause(number)
        }
      }
    } onCancel: {
      endPause(number)
    }
  }

  private func endPause(_ number: Int) {
    state.withLock { $0.pauses.removeValue(forKey: number)?.continuation }?.resume()
  }
}
