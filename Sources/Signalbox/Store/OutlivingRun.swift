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
    let engine = scope.engine
    let run = RunScope<State, Action>(
      id: id, priority: nil, parent: nil, maker: nil, in: engine, nil)
    run.begin(cause: scope.causeOfSaves)
    let body = { @MainActor in
      do {
        try await operation(MutatingStore(run))
        run.leaderHasEnded(.success(()))
      } catch {
        run.leaderHasEnded(.failure(error))
      }
      completion()
    }
    let follower = engine.book.follower
    if let followed = follower?.willStart(run.fullDescription, event: run.firstEvent) {
      _ = run.causing {
        followed.makeTask(priority: nil) {
          followed.bodyHasBegun()
          await body()
          followed.isOver()
          followed.bodyHasReturned()
        }
      }
    } else {
      _ = run.causing { Task.atOnce { await body() } }
    }
    return OutlivingRun(event: run.firstEvent, follower: follower)
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
