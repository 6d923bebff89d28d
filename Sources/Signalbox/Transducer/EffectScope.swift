/// Managed work of a transducer, from before it starts until nothing is left of it.
final class EffectScope<T: Transducer>: RunScope<T.State, T.Event> {
  typealias Step = EffectStep<T.Event, T.Env, T.Output>

  private let handler: TransducerHandler<T>
  private var step: Step?
  private var makeEvent: (@Sendable (any Error) -> T.Event?)?
  private var result = EffectResult<T.Event, T.Env, T.Output>.nothing
  /// Where a request waits that ends with this work; that of another, if it has joined it.
  private var ownAnswer: Reply<T.Output>?

  init(
    _ step: Step, parent: Scope<T.State, T.Event>, maker: T.Event?,
    of handler: TransducerHandler<T>
  ) {
    self.handler = handler
    self.step = step
    makeEvent = step.handler
    super.init(
      id: step.id, priority: step.priority, parent: parent, maker: maker, in: parent.engine, nil)
    if step.replies ?? false { ownAnswer = Reply(from: self) }
  }

  override var writerName: String { "an effect" }
  /// An effect sees no state: a copy would make the next change of the state copy all of it.
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
      result = try await operation(Input(receiver: handler, origin: self), env)
    case .debounce(let effect, let interval, let clock):
      try await clock(env).sleep(for: interval.withinReason)
      result = .effect(effect)
    case .action, .event, .cancel, .sequence, .merge: break
    }
  }

  var reply: Reply<T.Output>? { ownAnswer?.current }

  /// It has joined another one, and its caller waits for that.
  func join(_ leader: Work?) {
    guard ownAnswer != nil, let reply = (leader as? EffectScope)?.reply else { return }
    ownAnswer = reply
  }

  // MARK: - Its end

  override func handle(_ error: any Error) {
    guard makeEvent == nil, reply?.isAwaited != true else { return }
    super.handle(error)
  }

  override func hasEnded(_ outcome: Result<Void, any Error>) {
    super.hasEnded(outcome)
    defer { forget() }
    switch (outcome, result) {
    case (.success, .nothing): give(.failure(handler.lack))
    case (.success, .output(let output)): give(.success(output))
    case (.success, .event(let event)): goOn { handler.process(event, for: self, &$0) }
    case (.success, .effect(let effect)): goOn { handler.carryOut(effect, for: self, &$0) }
    case (.failure(let error), _):
      guard let event = makeEvent?(error) else { return give(.failure(error)) }
      goOn { handler.process(event, for: self, &$0) }
    }
  }

  /// Does what follows, whose answer is this one's.
  private func goOn(_ body: (inout Conclusion<T>) -> Void) {
    var conclusion = ownAnswer == nil ? Conclusion<T>.unwanted : .dropped
    body(&conclusion)
    switch conclusion {
    case .unwanted: break
    case .dropped: give(.failure(handler.lack))
    case .output(let output): give(.success(output))
    case .pending(let work): leave(answerTo: work)
    }
  }

  /// Whoever waits for this work, or has joined it, waits for what it has led to.
  private func leave(answerTo work: EffectScope) {
    guard let reply, let next = work.reply else { return }
    // Who waits may be what that would have to wait for: it is only now that this shows.
    if reply.isAwaited, engine.book.mustWait(work, for: self) {
      engine.book.cancel(work)
      return give(.failure(EndlessWait()))
    }
    reply.handOver(from: self, to: work)
    reply.merge(into: next)
    guard !work.isOver else { return }
    passFollowers(to: work.leader ?? work) { ($0 as? EffectScope)?.ownAnswer != nil }
    if isAbandoned, work.leader == nil { engine.book.abandon(work) }
  }

  override func wasCancelled(_ reason: CancelReason) -> Int? {
    forget()
    let event = super.wasCancelled(reason)
    reply(afterCancel: reason)
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

  override func leaderHasEnded(_ outcome: Result<Void, any Error>) {
    super.leaderHasEnded(outcome)
    forget()
    // Of one that answers its own caller has heard.
    give(.failure(CancellationError()))
  }

  /// Somebody may keep the input, and with it this, but nothing that was captured.
  private func forget() {
    step = nil
    makeEvent = nil
    maker = nil
    result = .nothing
  }

  /// Answers, unless that is for another to do.
  private func give(_ result: Result<T.Output, any Error>) {
    if let reply, reply.giver === self { reply.give(result) }
  }
}
