/// Managed work of a transducer, from before it starts until nothing is left of it.
final class EffectScope<T: Transducer>: RunScope<T.State, T.Event> {
  typealias Step = EffectStep<T.Event, T.Env, T.Output>

  private let handler: TransducerHandler<T>
  private var step: Step?
  private let makeEvent: (@Sendable (any Error) -> T.Event?)?
  private var result = EffectResult<T.Event, T.Env, T.Output>.nothing
  /// Where a request waits that ends with this work.
  let answer: Answer<T.Output>?
  /// The work that those wait for who waited for this one.
  private(set) var successor: EffectScope?

  init(
    _ step: Step, parent: Scope<T.State, T.Event>, maker: T.Event?,
    of handler: TransducerHandler<T>
  ) {
    self.handler = handler
    self.step = step
    makeEvent = step.handler
    answer = step.answers ? Answer() : nil
    super.init(
      id: step.id, priority: step.priority, parent: parent, maker: maker, in: parent.engine, nil)
  }

  override var writerName: String { "an effect" }
  /// An effect sees no state: a copy would make the next change of the state copy all of it.
  override var readsState: Bool { false }
  override var awaitedInPlace: Work? { successor }

  override func body() async throws {
    guard let step = step.take(), let env = handler.env else { return }
    switch step.content {
    case .work(let operation):
      result = try await operation(Input(inlet: handler, origin: self), env)
    case .debounce(let effect, let interval, let clock):
      try await clock(env).sleep(for: interval)
      result = .effect(effect)
    case .action, .event, .cancel, .sequence, .merge: break
    }
  }

  /// It has joined another one, and its caller waits for that.
  func join(_ leader: Work?) {
    guard let leader = leader as? EffectScope, leader.answer != nil else { return }
    successor = leader
  }

  /// Lets somebody wait for the answer.
  func add(_ waiter: Waiter<T.Output>) { current.answer?.add(waiter) }

  private var current: EffectScope {
    var scope = self
    while let next = scope.successor { scope = next }
    return scope
  }

  // MARK: - Its end

  override func handle(_ error: any Error) {
    guard makeEvent == nil, answer?.isAwaited != true else { return }
    super.handle(error)
  }

  override func hasEnded(_ outcome: Result<Void, any Error>) {
    super.hasEnded(outcome)
    switch (outcome, result) {
    case (.success, .nothing): break
    case (.success, .output(let output)): answer?.give(.success(output))
    case (.success, .event(let event)): goOn { handler.process(event, for: self, &$0) }
    case (.success, .effect(let effect)): goOn { handler.carryOut(effect, for: self, &$0) }
    case (.failure(let error), _):
      guard let event = makeEvent?(error) else {
        answer?.give(.failure(error))
        return
      }
      goOn { handler.process(event, for: self, &$0) }
    }
  }

  /// Does what follows, whose answer is this one's.
  private func goOn(_ body: (inout Conclusion<T>) -> Void) {
    var conclusion = answer == nil ? Conclusion<T>.unwanted : .dropped
    body(&conclusion)
    guard let answer else { return }
    switch conclusion {
    case .unwanted, .dropped: answer.give(.failure(CancellationError()))
    case .output(let output): answer.give(.success(output))
    case .pending(let work):
      successor = work
      work.current.answer?.takeOver(answer, by: work)
    }
  }

  override func wasCancelled(_ reason: CancelReason) {
    step = nil
    super.wasCancelled(reason)
    guard let answer else { return }
    switch reason {
    case .superseded(let work as EffectScope) where work.answer != nil:
      successor = work
      work.answer?.takeOver(answer)
    case .closed: answer.give(.failure(StoreReleased()))
    case .superseded, .requested, .ignored: answer.give(.failure(CancellationError()))
    }
  }

  override func leaderHasEnded(_ outcome: Result<Void, any Error>) {
    super.leaderHasEnded(outcome)
    step = nil
    // Of one that answers its own caller has heard.
    if successor == nil { answer?.give(.failure(CancellationError())) }
  }
}
