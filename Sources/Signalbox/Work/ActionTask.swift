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
  /// The book of the effects that the handle of an event cancels; `nil` for other work.
  private weak var effects: WorkBook?
  /// Kept, because what the work has started may go on when the work is over.
  private let follower: (any WorkFollower)?

  /// How the work has ended for this caller; `nil` if it has not.
  var outcome: WorkOutcome? { waiters.outcome }

  /// - Parameter cancelsEffects: whether the work is an event, which ends before its effects.
  init(_ work: Work, in book: WorkBook, cancelsEffects: Bool = false) {
    waiters = work.makeWaiters()
    follower = book.follower
    if cancelsEffects { effects = book }
    if !work.isOver { waiters.book = book }
  }

  /// Waits until the work has returned, thrown, been cancelled or been ignored (A2).
  ///
  /// Cancelled work has ended at once, even if its body has not returned yet. Unlike the `value` of a
  /// `Task`, this does not throw what the work has thrown, because that has gone to `onError` (A8).
  public var value: Void {
    get async { _ = await result }
  }

  /// Waits until the work has ended and returns how it ended.
  ///
  /// The failure is the error that the work threw. It is a `CancellationError` if the work was
  /// cancelled, superseded or ignored. An action that rethrows this error reports it a second time.
  public var result: Result<Void, any Error> {
    get async {
      if let outcome { return outcome.result }
      await waitForWork(waiters.firstEvent, on: follower) { end in
        waiters.whenEnded { _ in end() }
      }
      // A test that gives the wait up continues as if the work had been cancelled.
      return outcome?.result ?? .failure(CancellationError())
    }
  }

  /// Waits until the work and everything that it dispatched or ran has ended, recursively (A2).
  public var settled: Void {
    get async {
      await waitForWork(waiters.firstEvent, on: follower) { waiters.whenSettled($0) }
    }
  }

  /// Waits for an event and all that follows from it, and cancels that with the waiting task (X7).
  func settledOrCancelled() async {
    let end = Promise<Void>()
    end.didEndWait = follower?.willWait(for: waiters.firstEvent) { end.fulfil(()) }
    waiters.whenSettled { end.fulfil(()) }
    await end.value {
      self.cancel()
      // Even if an effect goes on for others that have joined it.
      end.fulfil(())
    }
  }

  /// Whether the work has ended.
  public var isFinished: Bool { outcome != nil }

  /// Whether the work was cancelled, superseded or ignored.
  public var isCancelled: Bool { outcome?.isCancelled ?? false }

  /// Cancels the work at once, which resumes waiting callers and cuts off its writes (A6).
  ///
  /// Work that others have joined continues for them (A4). Does nothing if the work has ended. The
  /// handle of an event also cancels the effects that the event, and what followed from
  /// it, have started, as long as one of them runs (X7).
  public func cancel() {
    if let work { waiters.book?.cancel(work) }
    effects?.cancel(startedBy: waiters)
  }

  var work: Work? { waiters.work }
}
