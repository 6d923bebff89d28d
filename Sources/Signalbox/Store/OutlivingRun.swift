/// Work that a store begins and does not end, such as a save of its state.
///
/// It is a run in the events of the store, and a test store follows it. But it is not in the book
/// of the store, so that neither a cancel nor the release of the store ends it. That is why
/// `MutatingStore.run` cannot do this.
@MainActor package struct OutlivingRun {
  private let event: Int?
  private let follower: (any WorkFollower)?

  fileprivate init(event: Int?, follower: (any WorkFollower)?) {
    self.event = event
    self.follower = follower
  }

  /// Tells a test store that the current work waits for this run.
  ///
  /// - Returns: a closure to call before the current work continues; `nil` without a test store.
  package func willWait() -> (@MainActor () -> Void)? {
    follower?.willWait(for: event, orGiveUp: nil)
  }
}

extension MutatingStore {
  /// Starts work that outlives the store, and runs it up to its first suspension.
  ///
  /// What it writes through its own store is part of the run. An error that it throws is the event
  /// `.runFailed`, and no more. The operation handles it.
  ///
  /// - Parameters:
  ///   - id: the name of the run in events and failures. It has no effect on other work.
  ///   - operation: is kept until it has returned.
  ///   - completion: is called after the last event of the run.
  package func runOutliving(
    id: any Hashable & Sendable,
    _ operation: @escaping @MainActor (MutatingStore<State, Action>) async throws -> Void,
    completion: @escaping @MainActor () -> Void
  ) -> OutlivingRun {
    let engine = scope.engine
    let run = RunScope<State, Action>(
      id: id, priority: nil, parent: nil, maker: nil, in: engine, nil)
    run.begin(cause: scope.currentCause)
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
    if let followed = follower?.willStart(run.description, event: run.firstEvent) {
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

  /// Tells a test store that this hook holds a value back.
  ///
  /// - Returns: a closure to call when it no longer does; `nil` without a test store, and outside of
  ///   a hook.
  package func willHold(
    for interval: Duration, on clock: any Clock<Duration>
  ) -> (@MainActor () -> Void)? {
    (scope as? any SinkOwner)?.willHold(for: interval, on: clock)
  }

  /// Runs a body when neither a change in place nor a batch of the store is in progress, now or at
  /// its end.
  package func whenWhole(_ body: @escaping @MainActor () -> Void) {
    scope.engine.storage.transaction.whenWhole(body)
  }

  /// The state of the store itself, without pending changes, also after the work of this
  /// `MutatingStore` was cancelled.
  package var storeTruth: State { scope.engine.storage.truth }

  /// Whether the store has a recorder or a subscriber to its events.
  package var isWatched: Bool { scope.engine.log.isWatched }
}
