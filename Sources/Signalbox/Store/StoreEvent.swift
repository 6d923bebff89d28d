/// Something that happened in a store, and what it followed from (H4).
///
/// The events form a tree: an action changes the state, the change fires a hook, the hook
/// dispatches an action.
public struct StoreEvent<State, Action> {
  /// The number of the event in its store.
  public let id: Int
  /// The event that this one follows from; `nil` for what came from outside.
  public let cause: Int?
  /// What happened.
  public let kind: Kind

  /// What can happen in a store.
  public enum Kind {
    /// The first event of each subscriber: the state of now.
    case started(State)
    /// An action begins.
    case dispatched(Action)
    /// An action has ended by itself, some time after it began.
    case finished(Action, Duration)
    /// An action was cancelled, superseded or ignored.
    case cancelled(Action)
    /// An action has thrown while it was current; the error goes to `onError`.
    case failed(Action, any Error)
    /// A hook has received a value.
    case hookFired(name: String, value: Any)
    /// One commit.
    case stateChanged(from: State, to: State)
    /// An error that nobody handles; the action is the one it came from, if it was one (A8).
    case unhandled(any Error, Action?)
    /// A cancelled writer has tried to change the state; its cause is the stale work (A6).
    case dropped(Dropped)
    /// Writes that followed from one another for ever were stopped: who wrote what, in turn (S17).
    case loopStopped([String])
  }

  /// What a cancelled writer tried in vain.
  public enum Dropped {
    /// A change of the state, as it stands in the writer's own copy.
    case change(from: State, to: State)
    /// An action.
    case action(Action)
    /// A run.
    case run
    /// The cancelling of other work.
    case cancel
  }
}

/// Numbers the events of a store and hands them to whoever listens.
///
/// While nobody does, no event is made.
@MainActor final class EventLog<State, Action> {
  private let source = Source<StoreEvent<State, Action>>()
  private var lastID = 0
  private let watchersChanged: @MainActor (Bool) -> Void

  init(watchersChanged: @escaping @MainActor (Bool) -> Void) {
    self.watchersChanged = watchersChanged
  }

  var isWatched: Bool { source.hasSubscribers }

  func signal(state: @escaping @MainActor () -> State) -> Signal<StoreEvent<State, Action>> {
    .direct { subscriber in
      let stage = Stage(subscriber)
      stage.connect(to: .direct { self.attach($0) }, receive: { stage.send($0) })
      if !stage.isClosed {
        stage.send(self.event(.started(state()), cause: nil))
        self.reportWatchers()
      }
      return stage.subscription
    }
  }

  private func attach(_ subscriber: Subscriber<StoreEvent<State, Action>>) -> Subscription {
    let subscription = source.attach(subscriber)
    return Subscription {
      subscription.cancel()
      self.reportWatchers()
    }
  }

  private func reportWatchers() { watchersChanged(isWatched) }

  /// Makes and sends an event, if somebody listens.
  @discardableResult
  func emit(
    _ kind: @autoclosure () -> StoreEvent<State, Action>.Kind, cause: Int?,
    in context: Propagation.Context? = nil
  ) -> Int? {
    guard isWatched else { return nil }
    let event = event(kind(), cause: cause)
    source.send(event, in: context)
    return event.id
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
    _ kind: StoreEvent<State, Action>.Kind, cause: Int?
  ) -> StoreEvent<State, Action> {
    lastID += 1
    return StoreEvent(id: lastID, cause: cause, kind: kind)
  }
}
