/// Describes something that happened in a store, and its cause (H4).
///
/// The events form a tree. For example, an action changes the state, the change fires a hook, and
/// the hook dispatches another action.
public struct StoreEvent<State, Action> {
  /// The number of the event within its store; numbers increase.
  public let id: Int
  /// The number of the event that caused this one; `nil` if the cause lies outside of the store.
  public let cause: Int?
  /// The number of the `.dispatched` or `.runStarted` event of the action or run during which this
  /// event happened; `nil` outside of work.
  public let work: Int?
  /// The reason, if the event says that an action or a run was cancelled.
  public let cancellation: Cancellation?
  /// The name that the store was made with.
  public let storeName: String?
  /// What happened.
  public let kind: Kind
  /// What the value of a hook or a derived value is made of.
  let provenance: Provenance
  /// The type of the interactor or the transducer of the store; without one, that of the state.
  let feature: Any.Type

  /// What can happen in a store.
  public enum Kind {
    /// The first event of each subscriber or recorder, with the current state.
    case started(State)
    /// An action was dispatched.
    case dispatched(Action)
    /// An action finished on its own, with its duration. Sent only if `.dispatched` was.
    case finished(Action, Duration)
    /// An action was cancelled, superseded or ignored, or has ended with its state or its store.
    /// `cancellation` gives the reason.
    case cancelled(Action)
    /// An action threw while it was current, and the error goes to `onError`. Also sent for an
    /// action that joined work that threw.
    case failed(Action, any Error)
    /// A run started (A5). The changes that it makes have the same cause as this event.
    case runStarted(id: (any Hashable & Sendable)?)
    /// A run finished on its own, with its duration. Sent only if `.runStarted` was.
    case runFinished(id: (any Hashable & Sendable)?, Duration)
    /// A run was cancelled, superseded or ignored, or has ended with its state or its store.
    /// `cancellation` gives the reason.
    case runCancelled(id: (any Hashable & Sendable)?)
    /// A run threw while it was current, or joined work that threw.
    case runFailed(id: (any Hashable & Sendable)?, any Error)
    /// A hook received a value.
    case hookFired(name: String, value: Any)
    /// A commit changed the state.
    case stateChanged(from: State, to: State)
    /// An action or a run has shown a change that is not certain yet (O1). `work` identifies it.
    case pending
    /// A pending change became a part of the truth: it was confirmed, or its work has returned (O2, O4).
    case confirmed
    /// A pending change was taken back: its work has failed or was cancelled, or it was reverted (O2, O4).
    case takenBack
    /// An observed derived value has changed with a commit, which is the cause (V3).
    case derived(name: String, from: Any, to: Any)
    /// An error was not handled. The action is the one that threw it or that made the run that
    /// threw it, if there is one (A8).
    case unhandled(any Error, Action?)
    /// Stale work tried something that did not reach the store, or an action was dispatched to a
    /// store without actions. `cause` and `work` identify stale work (A6).
    case dropped(Dropped)
    /// A loop of writes was stopped. Each element names a writer and the key path that it wrote
    /// (S17).
    case loopStopped([String])
    /// Something happened in a child, except for changes, which are changes of this store (C8).
    case child(ChildEvent)
    /// Two elements of a collection of children have one identity, and the first is the child (C8).
    /// The text says where.
    case duplicateChild(String)
  }

  /// Why a piece of work was cancelled.
  public typealias Cancellation = EventCancellation

  /// What did not reach the store.
  public enum Dropped {
    /// A change of the state, made in the writer's own copy.
    case change(from: State, to: State)
    /// The dispatch of an action.
    case action(Action)
    /// The start of a run.
    case run
    /// The cancellation of other work.
    case cancel
  }
}

/// Why a piece of work was cancelled.
///
/// The numbers are those of events. A number is `nil` if the event was not made because the store
/// had no subscriber and no recorder then.
public enum EventCancellation: Hashable, Sendable {
  /// The cancel was requested by code that an event caused, or, with `nil`, from outside.
  case requested(by: Int?)
  /// New work of the same name took its place (`.latest`).
  case superseded(by: Int?)
  /// It gave way to existing work of the same name (`.first`).
  case ignored(for: Int?)
  /// The store was released (A9).
  case storeReleased
  /// The state of the child has gone, and the child with it (C4).
  case endedWithState
}
