/// Numbers the events of a store and hands them to whoever listens.
///
/// While nobody does, no event is made.
@MainActor final class EventLog<State, Action> {
  private let source = Source<StoreEvent<State, Action>>()
  private var lastID = 0
  private var generation = 0
  private let state: @MainActor () -> State
  private let watchersChanged: @MainActor (Bool) -> Void

  init(
    state: @escaping @MainActor () -> State, watchersChanged: @escaping @MainActor (Bool) -> Void
  ) {
    self.state = state
    self.watchersChanged = watchersChanged
  }

  /// Whether somebody listens, or wants to and has not been asked.
  var isWatched: Bool {
    if StoreListening.generation != generation { lookForListener() }
    return source.hasSubscribers
  }

  /// Who listens to all stores is given this one's events.
  private func lookForListener() {
    generation = StoreListening.generation
    guard let listener = StoreListening.listener, !source.isFinished else { return }
    Propagation.withoutWitness { listener.listen(to: signal) }
  }

  var signal: Signal<StoreEvent<State, Action>> {
    .direct { subscriber in
      let stage = Stage(subscriber)
      stage.connect(to: .direct { self.attach($0) }, receive: { stage.send($0) })
      if !stage.isClosed {
        stage.send(self.event(.started(self.state()), cause: nil))
        self.reportWatchers()
      }
      return stage.subscription
    }
  }

  private func attach(_ subscriber: Subscriber<StoreEvent<State, Action>>) -> Subscription {
    let subscription = source.attach(subscriber)
    return Subscription {
      subscription.end()
      self.reportWatchers()
    }
  }

  private func reportWatchers() { watchersChanged(source.hasSubscribers) }

  /// Makes and sends an event, if somebody listens.
  @discardableResult
  func emit(
    _ kind: @autoclosure () -> StoreEvent<State, Action>.Kind, cause: Int?, work: Int? = nil,
    cancellation: StoreEvent<State, Action>.Cancellation? = nil, paths: [AnyKeyPath] = [],
    in context: Propagation.Context? = nil
  ) -> Int? {
    guard isWatched else { return nil }
    let event = event(
      kind(), cause: cause, work: work, cancellation: cancellation, paths: paths)
    send(event, in: context)
    return event.id
  }

  /// Makes and sends the event with which a piece of work begins, if somebody listens.
  func emitBeginning(
    _ kind: @autoclosure () -> StoreEvent<State, Action>.Kind, cause: Int?
  ) -> Int? {
    guard isWatched else { return nil }
    let event = event(kind(), cause: cause, work: lastID + 1)
    send(event, in: nil)
    return event.id
  }

  /// What a listener does follows from what it heard.
  private func send(_ event: StoreEvent<State, Action>, in context: Propagation.Context?) {
    var context = context ?? (Propagation.isDelivering ? Propagation.context : .init())
    context.cause = self.cause(event.id)
    source.send(event, in: context)
  }

  func finish() { source.finish() }

  /// The number of the event that is being delivered, if it is one of this store.
  var currentCause: Int? {
    guard let cause = Propagation.context.cause, cause.log == ObjectIdentifier(self) else {
      return nil
    }
    return cause.id
  }

  func cause(_ id: Int?) -> Propagation.Cause? {
    id.map { Propagation.Cause(log: ObjectIdentifier(self), id: $0) }
  }

  private func event(
    _ kind: StoreEvent<State, Action>.Kind, cause: Int?, work: Int? = nil,
    cancellation: StoreEvent<State, Action>.Cancellation? = nil, paths: [AnyKeyPath] = []
  ) -> StoreEvent<State, Action> {
    lastID += 1
    return StoreEvent(
      id: lastID, cause: cause, work: work, cancellation: cancellation, kind: kind, paths: paths)
  }
}
