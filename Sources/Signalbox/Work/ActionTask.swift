/// A handle on an action or a run: wait for it, look at it, cancel it.
///
///     let task = store.send(.refresh)
///     await task.value
///
/// Waiting cancels nothing, and dropping the handle does not either. It does not keep the store
/// alive (A9). Nobody knows who waits on a handle: work must not wait so for what waits for it, as
/// `.queue` and `.join` on its own name do; `await store.dispatch` would find that out.
@MainActor public final class ActionTask: Sendable {
  private let waiters: WorkWaiters

  init(_ work: Work, in book: WorkBook) {
    waiters = work.makeWaiters()
    if !work.isOver { waiters.book = book }
  }

  /// Waits until the work has ended: returned, thrown, been cancelled or ignored (A2).
  ///
  /// Cancelled work has ended at once, also while its body is still on its way to returning.
  public var value: Void {
    get async { _ = await result }
  }

  /// Waits for how the work ended: an error that it threw, or `CancellationError` for work that
  /// was cancelled, superseded or ignored.
  public var result: Result<Void, any Error> {
    get async {
      if let outcome = waiters.outcome { return outcome }
      let goesOn = waiters.book?.willWait?()
      return await withCheckedContinuation { continuation in
        waiters.whenEnded {
          goesOn?()
          continuation.resume(returning: $0)
        }
      }
    }
  }

  /// Waits until the work has ended, and all that it dispatched or ran, recursively (A2).
  public var settled: Void {
    get async {
      await withCheckedContinuation { continuation in
        waiters.whenSettled { continuation.resume() }
      }
    }
  }

  /// Whether the work has ended.
  public var isFinished: Bool { waiters.outcome != nil }

  /// Whether the work was cancelled, superseded or ignored.
  public var isCancelled: Bool { waiters.isCancelled }

  /// Ends the work at once: whoever waits for it is resumed, and nothing that it still does reaches
  /// the store (A6).
  ///
  /// Does nothing to work that has ended.
  public func cancel() {
    if let work { waiters.book?.cancel(work) }
  }

  /// The work, until it is over.
  var work: Work? { waiters.work }
}
