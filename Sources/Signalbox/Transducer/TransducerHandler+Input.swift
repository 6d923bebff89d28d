import Synchronization

/// What an `Input` sends.
extension TransducerHandler: EventReceiver {
  nonisolated func post(_ event: T.Event, from origin: Work?) throws {
    if isClosed.load(ordering: .acquiring) { throw StoreReleased() }
    inbox.post(Post(event: event, origin: origin, handler: self))
  }

  func take(_ event: T.Event, from origin: Work?) {
    guard let caller = caller(origin) else { return }
    var conclusion = Conclusion<T>.unwanted
    process(event, for: caller, &conclusion)
  }

  func dispatch(_ event: T.Event, from origin: Work?) {
    inbox.drainIfNeeded()
    take(event, from: origin)
  }

  func willListen() -> (@MainActor () -> Void)? { outside?.engine.follower?.willListen() }

  func send(_ event: T.Event, from origin: Work?) async throws {
    let caller = try readyCaller(origin)
    let isCurrent = caller.isCurrent
    var conclusion = Conclusion<T>.unwanted
    process(event, for: caller, &conclusion)
    if !isCurrent { throw CancellationError() }
  }

  func request(_ event: T.Event, from origin: Work?) async throws -> T.Output {
    let caller = try readyCaller(origin)
    // Stale work also has a cancelled task, but `process` must report its event as dropped.
    if caller.isCurrent { try Task.checkCancellation() }
    var conclusion = Conclusion<T>.dropped
    process(event, for: caller, &conclusion)
    switch conclusion {
    case .unwanted, .dropped: throw missingOutputError
    case .output(let output): return output
    case .pending(let work): return try await reply(of: work, to: caller)
    }
  }

  private func caller(_ origin: Work?) -> Scope? {
    guard let outside else { return nil }
    // Succeeds for all work, because the work of an input belongs to the store that made the input.
    return (origin as? Scope) ?? outside
  }

  /// The error of a request that ended without an output and without an error of its own.
  var missingOutputError: any Error { outside == nil ? StoreReleased() : CancellationError() }

  private func readyCaller(_ origin: Work?) throws -> Scope {
    inbox.drainIfNeeded()
    guard let caller = caller(origin) else { throw StoreReleased() }
    return caller
  }

  private func reply(of work: EffectScope<T>, to caller: Scope) async throws -> T.Output {
    let book = caller.engine.book
    // The caller may have requested the work that superseded it. The caller's task is cancelled by
    // now, and that must not cancel the successor.
    guard caller.isCurrent else { throw missingOutputError }
    guard !caller.isUnderWay || !book.mustWait(work, for: caller) else {
      book.cancel(work)
      throw EndlessWait()
    }
    let waiter = Waiter<T.Output>(for: work)
    waiter.reply.didEndWait = book.follower?.willWait(for: work.firstEvent) { [weak waiter] in
      waiter?.reply.fulfil(.failure(CancellationError()))
    }
    work.reply?.add(waiter)
    // A caller from outside is not recorded: its scope never ends and would keep its `WorkWaiters`.
    guard caller.isUnderWay else { return try await waiter.reply(in: book, cancelledBy: nil) }
    return try await caller.awaiting(work) {
      try await waiter.reply(in: book, cancelledBy: caller.began?.event)
    }
  }
}
