/// The scope and the work of one managed effect of a transducer.
final class EffectScope<T: Transducer>: RunScope<T.State, T.Event> {
  typealias Step = EffectStep<T.Event, T.Env, T.Output>

  private let handler: TransducerHandler<T>
  private var step: Step?
  private var makeEvent: (@Sendable (any Error) -> T.Event?)?
  private var produced = EffectResult<T.Event, T.Env, T.Output>.nothing
  /// The reply to a request that ends with this work, which is shared with work that it joined.
  private var ownReply: Reply<T.Output>?

  init(
    _ step: Step, parent: Scope<T.State, T.Event>, maker: T.Event?,
    of handler: TransducerHandler<T>
  ) {
    self.handler = handler
    self.step = step
    makeEvent = step.handler
    super.init(
      id: step.id, priority: step.priority, parent: parent, maker: maker, in: parent.engine, nil)
    if step.replies ?? false { ownReply = Reply(from: self) }
  }

  override var writerName: String { "an effect" }
  /// An effect cannot read the state, and a copy for it would make the next write copy (M2).
  override var readsState: Bool { false }
  override var awaitedInPlace: Work? {
    guard let giver = reply?.giver, giver !== self else { return nil }
    return giver
  }
  override var isAwaitedInPlace: Bool { reply?.isShared ?? false }

  override func body() async throws {
    guard let step = step.take(), let env = handler.env else { return }
    switch step.content {
    case .work(let operation):
      if let event = step.shown { handler.show(event, in: self, of: step.presence) }
      produced = try await operation(Input(receiver: handler, origin: self), env)
    case .debounce(let effect, let interval, let clock):
      try await clock(env).sleep(for: interval.withinReason)
      produced = .effect(effect)
    case .action, .event, .cancel, .sequence, .merge: break
    }
  }

  var reply: Reply<T.Output>? { ownReply?.current }

  /// Shares the reply of the work that this work joined, for which its caller now waits.
  func join(_ leader: Work?) {
    guard ownReply != nil, let reply = (leader as? EffectScope)?.reply else { return }
    ownReply = reply
  }

  // MARK: - The end of the work

  override func handle(_ error: any Error) {
    guard makeEvent == nil, reply?.isAwaited != true else { return }
    super.handle(error)
  }

  override func hasEnded(_ result: Result<Void, any Error>) -> Int? {
    let event = super.hasEnded(result)
    handle(result)
    return event
  }

  private func handle(_ result: Result<Void, any Error>) {
    defer { _ = takeCaptures() }
    switch (result, produced) {
    case (.success, .nothing): give(.failure(handler.missingOutputError))
    case (.success, .output(let output)): give(.success(output))
    case (.success, .event(let event)): continueWith { handler.process(event, for: self, &$0) }
    case (.success, .effect(let effect)): continueWith { handler.carryOut(effect, for: self, &$0) }
    case (.failure(let error), _):
      guard let event = makeEvent?(error) else { return give(.failure(error)) }
      continueWith { handler.process(event, for: self, &$0) }
    }
  }

  /// Carries out what follows from the work and answers the request with its output.
  private func continueWith(_ body: (inout Conclusion<T>) -> Void) {
    var conclusion = ownReply == nil ? Conclusion<T>.unwanted : .dropped
    body(&conclusion)
    switch conclusion {
    case .unwanted: break
    case .dropped: give(.failure(handler.missingOutputError))
    case .output(let output): give(.success(output))
    case .pending(let work): handOverReply(to: work)
    }
  }

  /// Makes callers of this work, and work that joined it, wait for work that followed from it.
  private func handOverReply(to work: EffectScope) {
    guard let reply, let next = work.reply else { return }
    // A waiting caller may be work for which `work` would have to wait. That can be detected only
    // now, when it is known that `work` follows from this work.
    if reply.isAwaited, engine.book.mustWait(work, for: self) {
      engine.book.cancel(work)
      return give(.failure(EndlessWait()))
    }
    reply.handOver(from: self, to: work)
    reply.merge(into: next)
    guard !work.isOver else { return }
    passJoined(to: work.leader ?? work) { ($0 as? EffectScope)?.ownReply != nil }
    if isAbandoned, work.leader == nil { work.abandon() }
  }

  override func wasCancelled(_ reason: CancelReason) -> Int? {
    // Released last, because objects that were captured may call back when they are released.
    let held = takeCaptures()
    let event = super.wasCancelled(reason)
    reply(afterCancel: reason)
    withExtendedLifetime(held) {}
    return event
  }

  private func reply(afterCancel reason: CancelReason) {
    switch reason {
    case .superseded(let work as EffectScope):
      guard let next = work.reply else { return give(.failure(CancellationError())) }
      if let reply, reply.giver === self { reply.merge(into: next) }
    case .closed: give(.failure(StoreReleased()))
    case .superseded, .requested, .ignored: give(.failure(CancellationError()))
    }
  }

  override func leaderHasEnded(_ result: Result<Void, any Error>) {
    super.leaderHasEnded(result)
    let held = takeCaptures()
    // If the work that this work joined gives a reply, both share it, and `give` does nothing.
    // Otherwise the caller of this work would never receive an answer.
    give(.failure(CancellationError()))
    withExtendedLifetime(held) {}
  }

  /// Takes what was captured, so that it can be released while an `Input` still keeps this scope.
  private func takeCaptures() -> Any {
    let held = (step, makeEvent, maker, produced)
    (step, makeEvent, maker, produced) = (nil, nil, nil, .nothing)
    return held
  }

  private func give(_ result: Result<T.Output, any Error>) {
    if let reply, reply.giver === self { reply.give(result) }
  }
}
