/// Work that a store begins and does not end, such as a save of its state.
///
/// It is a run for events and test stores, but not in the book, so no cancel or release ends it.
@MainActor package struct OutlivingRun {
  private let event: Int?
  private let follower: (any WorkFollower)?

  fileprivate init(event: Int?, follower: (any WorkFollower)?) {
    self.event = event
    self.follower = follower
  }

  /// Tells a test store of a wait for this run; call the closure before the waiting work goes on.
  package func willWait() -> (@MainActor () -> Void)? {
    follower?.willWait(for: event, orGiveUp: nil)
  }
}

/// The scope of such a run, which begins also while its store ends, and whose errors go nowhere.
private final class OutlivingScope<State, Action>: RunScope<State, Action> {
  override var mayStart: Bool { true }
  override func handle(_ error: any Error) {}
}

extension MutatingStore {
  /// Starts work that outlives the store, and runs it up to its first suspension.
  ///
  /// An error that it throws is only the event `.runFailed`. `id` has no effect on other work.
  /// `completion` is called after the last event of the run.
  package func runOutliving(
    id: any Hashable & Sendable,
    _ operation: @escaping @MainActor (MutatingStore<State, Action>) async throws -> Void,
    completion: @escaping @MainActor () -> Void
  ) -> OutlivingRun {
    let book = scope.engine.book
    let run = OutlivingScope(
      id: id, priority: nil, parent: nil, maker: nil, in: scope.engine, operation)
    run.begin(cause: scope.causeOfSaves)
    run.makeWaiters().whenOver(completion)
    book.start(run)
    return OutlivingRun(event: run.firstEvent, follower: book.follower)
  }

  /// Tells a test store that this hook holds a value; call the closure when it no longer does.
  package func willHold(
    for interval: Duration, on clock: any Clock<Duration>
  ) -> (@MainActor () -> Void)? {
    (scope as? any SinkOwner)?.willHold(for: interval, on: clock)
  }

  /// Runs a body now, or at the end of the change in place or the batch that is in progress.
  package func whenWhole(_ body: @escaping @MainActor () -> Void) {
    scope.engine.storage.transaction.whenWhole(body)
  }

  /// The store's own state without pending changes, also after this work was cancelled.
  package var storeTruth: State { scope.engine.storage.truth }

  package var isWatched: Bool { scope.engine.log.isWatched }
}
