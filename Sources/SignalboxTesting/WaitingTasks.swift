import Signalbox

/// The tasks that wait until a test lets them go on, by their numbers.
///
///     wait ──▶ resume      a task goes on
///     resume ──▶ wait      the result is kept for a task that does not wait yet
final class WaitingTasks<Value: Sendable>: Sendable {
  private struct State {
    var waiting: [Int: (unpark: () -> Void, continuation: CheckedContinuation<Value, any Error>)] =
      [:]
    var results: [Int: Result<Value, any Error>] = [:]
    var activity: Activity?
  }

  private let state = LockedValue(State())

  /// Has new tasks reported to a test that waits for them.
  func report(to activity: Activity) { state.withLock { $0.activity = activity } }

  func hasChanged() { state.withLock { $0.activity }?.hasChanged() }

  /// Waits for the result of a number, which is resumed once; `cancel` may do so.
  nonisolated(nonsending) func wait(
    _ number: Int, for wait: Piece.Wait, onCancel cancel: @Sendable () -> Void
  ) async throws -> Value {
    hasChanged()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // The task counts as parked before another thread can wake it.
        let unpark = Piece.park(for: wait)
        let result = state.withLock { state in
          let result = state.results.removeValue(forKey: number)
          if result == nil { state.waiting[number] = (unpark, continuation) }
          return result
        }
        guard let result else { return }
        unpark()
        continuation.resume(with: result)
      }
    } onCancel: {
      cancel()
    }
  }

  func resume(_ number: Int, with result: Result<Value, any Error>) {
    let task = state.withLock { state in
      let task = state.waiting.removeValue(forKey: number)
      if task == nil { state.results[number] = result }
      return task
    }
    task?.unpark()
    task?.continuation.resume(with: result)
  }
}

extension Piece {
  /// Parks the current task, so that its work does not count as busy.
  ///
  /// - Returns: a closure to call before the task goes on.
  static func park(for wait: Wait) -> @Sendable () -> Void {
    guard let piece = current else { return {} }
    let number = piece.beginWaiting(for: wait)
    return { piece.endWaiting(number) }
  }
}
