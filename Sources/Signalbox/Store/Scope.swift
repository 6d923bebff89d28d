/// Who somebody is to a store: what a `MutatingStore` holds.
///
///     Store ──▶ Engine ──▶ Model (state, observers)  ◀──── Scope ◀──── MutatingStore
///                  └─────▶ WorkBook ──▶ ActionScope, RunScope ──┘
///
/// Actions and runs are work, and have one each; a hook and the store itself have one that never
/// ends. When its work is cancelled a scope points to a private copy of the state: the stale writer goes on
/// reading what it wrote, and nothing that it does reaches the store (A6).
@MainActor @usableFromInline class Scope<State, Action>: Work {
  // Read at every access to the state. Unowned, because the engine keeps its model for good, and
  // `ownCopy` is the other one that it can be.
  @safe @exclusivity(unchecked) @usableFromInline
  final private(set) unowned(unsafe) var storage: StateStorage<State>
  final let engine: Engine<State, Action>
  /// The event that everything done here follows from.
  final var cause: Int?
  /// The event with which the work began that is done here, and when; only while somebody listens.
  @safe @exclusivity(unchecked) final var began: Beginning?
  /// What a stale writer goes on with.
  private final var ownCopy: StateStorage<State>?

  /// The scope of a piece of work.
  init(name: WorkName?, parent: Work?, in engine: Engine<State, Action>) {
    self.engine = engine
    storage = engine.storage
    super.init(name: name, parent: parent)
  }

  /// The scope of what never ends.
  init(in engine: Engine<State, Action>) {
    self.engine = engine
    storage = engine.storage
    super.init()
  }

  /// Whether what is done here reaches the store.
  @safe @exclusivity(unchecked) final private(set) var isCurrent = true

  /// Whether anybody reads the state by this scope, and goes on reading it when it is stale.
  var readsState: Bool { true }

  /// The event that what happens here now follows from.
  var currentCause: Int? { cause }

  /// The action in whose course this happens.
  var origin: Action? { nil }

  @usableFromInline var writerName: String { "the store's binder" }

  /// Tells who listens what happens here.
  @discardableResult
  final func report(
    _ kind: @autoclosure () -> StoreEvent<State, Action>.Kind,
    cancellation: @autoclosure () -> StoreEvent<State, Action>.Cancellation? = nil,
    in context: Propagation.Context? = nil
  ) -> Int? {
    guard engine.log.isWatched else { return nil }
    return engine.log.emit(
      kind(), cause: currentCause, work: began?.event, cancellation: cancellation(), in: context)
  }

  /// Tells who listens that work begins here.
  final func reportBeginning(_ kind: @autoclosure () -> StoreEvent<State, Action>.Kind) {
    guard let event = engine.log.emitBeginning(kind(), cause: cause) else { return }
    began = Beginning(event: event)
  }

  /// Tells who listens that the work that is done here was cancelled, and why.
  final func reportCancelled(
    _ kind: @autoclosure () -> StoreEvent<State, Action>.Kind, _ reason: CancelReason
  ) -> Int? {
    func event(_ work: Work) -> Int? { (work as? Scope<State, Action>)?.began?.event }
    var cancellation: StoreEvent<State, Action>.Cancellation {
      switch reason {
      case .requested(let event): .requested(by: event)
      case .superseded(let work): .superseded(by: event(work))
      case .ignored(let work): .ignored(for: event(work))
      case .closed: .storeReleased
      }
    }
    return report(kind(), cancellation: cancellation)
  }

  /// From here on nothing that is done here reaches the store.
  final func detach() {
    guard isCurrent else { return }
    isCurrent = false
    guard readsState else { return }
    if engine.storage.isHeld(by: self), !engine.isClosed {
      fatalError(
        """
        \(writerName) was cancelled in the middle of its own change of the state: in the body of \
        `update`, or by what a mutating call on a property of the store has run. Such a change \
        cannot be taken back. Cancel before or after it.
        """)
    }
    engine.storage.whenReleased { self.goOnWithCopy() }
  }

  private final func goOnWithCopy() {
    let copy = unsafe StateStorage(
      engine.storage.memory.pointee, listening: engine.storage.listening)
    copy.delegate = DroppedChanges(log: engine.log, cause: cause, work: began?.event)
    copy.isRecording = true
    ownCopy = copy
    storage = copy
  }
}

extension Scope: Writer {
  @usableFromInline final var target: ObserverRegistry { storage }

  /// The model, when a log that has been switched on has begun.
  @usableFromInline final func readyModel() -> StateStorage<State> {
    storage.meetListeners()
    return storage
  }
}

/// The store itself: its binder, and whoever dispatches from outside.
final class StoreScope<State, Action>: Scope<State, Action> {
  override var currentCause: Int? { engine.log.currentCause }
}

/// The event with which a piece of work began, and when.
///
/// A class, so that a scope that nobody listens to carries no more than a `nil`.
final class Beginning {
  let event: Int
  private let instant = ContinuousClock.now

  init(event: Int) { self.event = event }

  var age: Duration { instant.duration(to: .now) }
}

/// Reports what a stale writer does to its own copy.
@MainActor private final class DroppedChanges<State, Action>: StateStorageDelegate {
  private weak var log: EventLog<State, Action>?
  private let cause: Int?
  private let work: Int?

  init(log: EventLog<State, Action>, cause: Int?, work: Int?) {
    self.log = log
    self.cause = cause
    self.work = work
  }

  var wantsRecord: Bool { log?.isWatched ?? false }

  func listenersMayHaveChanged() { _ = log?.isWatched }

  func storage(
    didCommitFrom old: State, to new: State, by writer: any Writer, in context: Propagation.Context
  ) -> Propagation.Cause? {
    log?.emit(.dropped(.change(from: old, to: new)), cause: cause, work: work, in: context)
    return nil
  }

  func storage(didStopLoop chain: [String], in context: Propagation.Context) {}
}
