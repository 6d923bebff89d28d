/// A handle to an action or a run, to wait for it, inspect it and cancel it.
///
///     let task = store.send(.refresh)
///     await task.value
///
/// Waiting cancels nothing, and neither does releasing the handle. The handle does not keep the
/// store alive (A9). Waits on handles are not tracked: awaiting work that awaits you deadlocks.
/// This includes `.queue` and `.join` on your own name. `await store.dispatch` detects such a wait.
@MainActor public final class ActionTask: Sendable {
  private let waiters: WorkWaiters

  /// How the work has ended for this caller; `nil` if it has not.
  var outcome: WorkOutcome? {
    if let work { waiters.book?.follower?.willUse(event: work.firstEvent) }
    return waiters.outcome
  }

  init(_ work: Work, in book: WorkBook) {
    waiters = work.makeWaiters()
    if !work.isOver { waiters.book = book }
  }

  /// Waits until the work has returned, thrown, been cancelled or been ignored (A2).
  ///
  /// Cancelled work has ended at once, even if its body has not returned yet.
  public var value: Void {
    get async { _ = await result }
  }

  /// Waits until the work has ended and returns how it ended.
  ///
  /// The failure is the error that the work threw. It is a `CancellationError` if the work was
  /// cancelled, superseded or ignored.
  public var result: Result<Void, any Error> {
    get async {
      if let outcome { return outcome.result }
      let didEndWait = waiters.book?.follower?.willWait(for: work?.firstEvent)
      return await withCheckedContinuation { continuation in
        waiters.whenEnded {
          didEndWait?()
          continuation.resume(returning: $0.result)
        }
      }
    }
  }

  /// Waits until the work and everything that it dispatched or ran has ended, recursively (A2).
  public var settled: Void {
    get async {
      let didEndWait = waiters.book?.follower?.willWait(for: work?.firstEvent)
      await withCheckedContinuation { continuation in
        waiters.whenSettled {
          didEndWait?()
          continuation.resume()
        }
      }
    }
  }

  /// Whether the work has ended.
  public var isFinished: Bool { outcome != nil }

  /// Whether the work was cancelled, superseded or ignored.
  public var isCancelled: Bool { outcome?.isCancelled ?? false }

  /// Cancels the work at once, which resumes waiting callers and cuts off its writes (A6).
  ///
  /// Work that others have joined continues for them (A4). Does nothing if the work has ended.
  public func cancel() {
    if let work { waiters.book?.cancel(work) }
  }

  /// The work, until it is over.
  var work: Work? { waiters.work }
}
