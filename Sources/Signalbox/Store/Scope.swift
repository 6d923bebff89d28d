/// Who somebody is to a store: what a `MutatingStore` holds.
///
///     Store ──▶ Engine ──▶ Model (state, observers)  ◀──── Scope ◀──── MutatingStore
///                  └─────▶ WorkBook ──▶ Work ──▶ WorkBody ────▲
///
/// There is one for each running action, each run and each hook. When its work is cancelled it
/// points to a private copy of the state: the stale writer goes on reading what it wrote, and
/// nothing that it does reaches the store (A6).
@MainActor @usableFromInline final class Scope<State, Action> {
  enum Role {
    /// The store itself: its binder, and whoever dispatches from outside.
    case store
    case hook(String)
    case action
    case run
  }

  // Read at every access to the state.
  @safe @exclusivity(unchecked) @usableFromInline private(set) var model: Model<State>
  let engine: Engine<State, Action>
  let role: Role
  /// The event that everything done here follows from.
  var cause: Int?
  /// What is done here, until it has ended.
  var work: Work?
  private var dropped: DroppedChanges<State, Action>?

  required init(_ role: Role, in engine: Engine<State, Action>) {
    self.role = role
    self.engine = engine
    model = engine.model
  }

  var isCurrent: Bool { dropped == nil }

  /// What happens here now follows from this.
  var currentCause: Int? {
    if case .store = role { engine.log.currentCause } else { cause }
  }

  /// The action in whose course this happens, while it is under way.
  var action: ActionBody<State, Action>? {
    (work?.body as? ActionBody<State, Action>) ?? (work?.body as? RunBody<State, Action>)?.origin
  }

  /// From here on nothing that is done here reaches the store.
  func detach() {
    guard isCurrent else { return }
    work = nil
    // Read as it is: the store may be released, and its work cut off, while `update` holds the state.
    let copy = unsafe Model(engine.model.storage.pointee)
    let dropped = DroppedChanges(log: engine.log, cause: cause)
    copy.delegate = dropped
    copy.isRecording = true
    self.dropped = dropped
    model = copy
  }
}

extension Scope: Writer {
  @usableFromInline var writerName: String {
    switch role {
    case .store: "the store's binder"
    case .hook(let name): "hook \(name)"
    case .action: "an action"
    case .run: "a run"
    }
  }
}

/// Reports what a stale writer does to its own copy.
@MainActor private final class DroppedChanges<State, Action>: ModelDelegate {
  private weak var log: EventLog<State, Action>?
  private let cause: Int?

  init(log: EventLog<State, Action>, cause: Int?) {
    self.log = log
    self.cause = cause
  }

  var wantsRecord: Bool { log?.isWatched ?? false }

  func model(
    didCommitFrom old: State, to new: State, by writer: any Writer, in context: Propagation.Context
  ) -> Propagation.Cause? {
    log?.emit(.dropped(.change(from: old, to: new)), cause: cause, in: context)
    return nil
  }

  func model(didStopLoop chain: [String], in context: Propagation.Context) {}
}
