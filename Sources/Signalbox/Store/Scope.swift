/// Who somebody is to a store: what a `MutatingStore` holds.
///
///     Store ──▶ Engine ──▶ Model (state, observers)  ◀──── Scope ◀──── MutatingStore
///                  └─────▶ WorkBook ──▶ Work ──owner─────────▲
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
  /// The action in whose course this happens, until its work has ended.
  var action: Action?
  var work: Work?
  private var dropped: DroppedChanges<State, Action>?

  init(_ role: Role, in engine: Engine<State, Action>) {
    self.role = role
    self.engine = engine
    model = engine.model
  }

  var isCurrent: Bool { dropped == nil }

  /// What happens here now follows from this.
  var currentCause: Int? {
    if case .store = role { engine.log.currentCause } else { cause }
  }

  /// The work has ended by itself.
  ///
  /// Its handle goes on working.
  func workHasEnded() {
    work = nil
    action = nil
  }

  private func detach() {
    guard isCurrent else { return }
    let copy = Model(engine.model.read(\.self))
    let dropped = DroppedChanges(log: engine.log, cause: cause)
    copy.delegate = dropped
    copy.isRecording = engine.log.isWatched
    self.dropped = dropped
    model = copy
  }
}

extension Scope: WorkOwner {
  func workWasCancelled() {
    let action = action
    detach()
    workHasEnded()
    if let action, case .action = role { engine.log.emit(.cancelled(action), cause: cause) }
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

  func model(
    didCommitFrom old: State, to new: State, by writer: any Writer, in context: Propagation.Context
  ) -> Propagation.Cause? {
    log?.emit(.dropped(.change(from: old, to: new)), cause: cause, in: context)
    return nil
  }

  func model(didStopLoop chain: [String], in context: Propagation.Context) {}
}
