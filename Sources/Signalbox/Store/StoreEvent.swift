/// Something that happened in a store, and what it followed from (H4).
///
/// The events form a tree: an action changes the state, the change fires a hook, the hook
/// dispatches an action.
public struct StoreEvent<State, Action> {
  /// The number of the event in its store.
  public let id: Int
  /// The event that this one follows from; `nil` for what came from outside.
  public let cause: Int?
  /// The event with which the work began in whose course this one happened: the `.dispatched` of
  /// an action or the `.runStarted` of a run; `nil` outside of work.
  public let work: Int?
  /// Why, if this is the cancelling of an action or a run.
  public let cancellation: Cancellation?
  /// The name that the store was made with.
  public let storeName: String?
  /// What happened.
  public let kind: Kind
  /// The parts of a state that a hook's value is made of.
  let paths: [AnyKeyPath]

  /// What can happen in a store.
  public enum Kind {
    /// The first event of each subscriber: the state of now.
    case started(State)
    /// An action begins.
    case dispatched(Action)
    /// An action has ended by itself, so long after it was dispatched; told if that was.
    case finished(Action, Duration)
    /// An action was cancelled, superseded or ignored; `cancellation` says which, and by what.
    case cancelled(Action)
    /// An action has thrown while it was current, and the error goes to `onError`; or the one that
    /// it had joined has.
    case failed(Action, any Error)
    /// A run begins (A5); what is done in it has the cause that the run has.
    case runStarted(id: (any Hashable & Sendable)?)
    /// A run has ended by itself, so long after it was made; told if that was.
    case runFinished(id: (any Hashable & Sendable)?, Duration)
    /// A run was cancelled, superseded or ignored; `cancellation` says which, and by what.
    case runCancelled(id: (any Hashable & Sendable)?)
    /// A run has thrown while it was current.
    case runFailed(id: (any Hashable & Sendable)?, any Error)
    /// A hook has received a value.
    case hookFired(name: String, value: Any)
    /// One commit.
    case stateChanged(from: State, to: State)
    /// An error that nobody handles; the action is the one it came from, if it was one (A8).
    case unhandled(any Error, Action?)
    /// A cancelled writer has tried something in vain; `cause` and `work` say which (A6).
    case dropped(Dropped)
    /// Writes that followed from one another for ever were stopped: who wrote what, in turn (S17).
    case loopStopped([String])
  }

  /// Why a piece of work was cancelled.
  ///
  /// The numbers are those of events; `nil` where nobody listened then.
  public enum Cancellation: Hashable, Sendable {
    /// Somebody asked for it: in the course of an event, or from outside.
    case requested(by: Int?)
    /// A newcomer of the same name took its place (`.latest`).
    case superseded(by: Int?)
    /// It gave way to the work that was there (`.first`).
    case ignored(for: Int?)
    /// The store is gone (A9).
    case storeReleased
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
