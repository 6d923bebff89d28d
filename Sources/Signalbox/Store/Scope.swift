/// Identifies who reads and writes a store; every `MutatingStore` holds one.
///
///     Store ──▶ Engine ──▶ StateStorage (state, observers)  ◀──── Scope ◀──── MutatingStore
///                  └─────▶ WorkBook ──▶ ActionScope, RunScope ──────┘
///
/// A scope is also the work, because another object would be one more allocation per action (B4).
/// The work of a hook and of the store itself never ends. The scope of cancelled work switches to a
/// private copy of the state, which it still reads and writes (A6).
@MainActor @usableFromInline class Scope<State, Action>: Work {
  // Unowned, to avoid reference counting at every access to the state. It is the engine's storage,
  // which lives as long as the engine, `extras.copy` or a forwarder. The scope keeps each alive.
  @safe @exclusivity(unchecked) @usableFromInline
  final private(set) unowned(unsafe) var storage: StateStorage<State>
  final let engine: Engine<State, Action>
  /// The event that causes everything that is done through this scope.
  final var cause: Int?
  /// The first event of the work, and its time; `nil` if the store made no events then.
  @safe @exclusivity(unchecked) final var began: Beginning?
  private final var extras: Extras?

  init(name: WorkName?, parent: Work?, in engine: Engine<State, Action>) {
    self.engine = engine
    storage = engine.storage
    super.init(name: name, parent: parent)
  }

  /// Makes a scope that never ends, for a hook or the store itself.
  init(in engine: Engine<State, Action>) {
    self.engine = engine
    storage = engine.storage
    super.init()
  }

  /// Whether what is done through this scope reaches the store.
  @safe @exclusivity(unchecked) final private(set) var isCurrent = true
  /// Whether the body began during the current delivery, and has not been suspended since.
  @safe @exclusivity(unchecked) final var beganInDelivery = false

  /// Whether the scope may be detached, which ends the handles that it has made.
  var mayBeDetached: Bool { mayEnd }

  /// Whether an action or a run uses this scope, even if it is that of a handle.
  var isOfWork: Bool { mayEnd }

  /// Whether code that runs for this scope acts for it in the stores of parents (C11).
  var callsParents: Bool { mayEnd }

  /// Whether code can read the state through this scope, even after it was detached.
  var readsState: Bool { true }

  /// The event that causes what is done through this scope now.
  var currentCause: Int? { cause }
  /// The cause of work that outlives the store.
  var causeOfSaves: Int? { currentCause }

  /// An event of the work as a cause in this store; `nil` if it is an event of another one.
  func cause(_ event: Int?) -> Int? { event }

  final override var firstEvent: Int? { began?.event }

  final override var fullDescription: String { engine.fullName(description) }

  /// The scope of the code that accesses the store through this scope now.
  var current: Scope<State, Action> { self }

  /// The work whose end takes back the marks that are set through this scope.
  var worker: Work { self }

  /// Runs a body that does something in the store on behalf of a scope.
  func acting<Result>(_ body: (Scope<State, Action>) -> Result) -> Result { body(self) }

  /// The action during which the scope was made.
  var origin: Action? { nil }

  var writerName: String { "the store's binder" }

  @discardableResult
  final func report(
    _ kind: @autoclosure () -> StoreEvent<State, Action>.Kind,
    cancellation: @autoclosure () -> EventCancellation? = nil,
    in context: Propagation.Context? = nil
  ) -> Int? {
    guard engine.log.isWatched else { return nil }
    return engine.log.emit(
      kind(), cause: currentCause, work: began?.event, cancellation: cancellation(), in: context)
  }

  /// - Parameter isCause: whether this event causes everything that is done through this scope.
  final func reportBeginning(
    _ kind: @autoclosure () -> StoreEvent<State, Action>.Kind, isCause: Bool
  ) {
    engine.log.emitBeginning(kind(), cause: cause) { event in
      began = Beginning(event: event)
      if isCause { cause = event }
    }
  }

  final func reportCancelled(
    _ kind: @autoclosure () -> StoreEvent<State, Action>.Kind, _ reason: CancelReason
  ) -> Int? {
    func event(_ work: Work) -> Int? { (work as? Scope<State, Action>)?.began?.event }
    var cancellation: EventCancellation {
      switch reason {
      case .requested(let event): .requested(by: event)
      case .superseded(let work): .superseded(by: event(work))
      case .ignored(let work): .ignored(for: event(work))
      case .closed: engine.log.rootIsReleased ? .storeReleased : .endedWithState
      }
    }
    return report(kind(), cancellation: cancellation)
  }

  /// Reports that the body of the work, or of the work that it joined, has thrown.
  @discardableResult func reportFailed(_ error: any Error) -> Int? { nil }

  /// Handles an error that the body of the work threw while the work was current.
  func handle(_ error: any Error) {}

  /// Runs the body of the work, and tells the book how it ended.
  func run() async {}

  /// Makes the task that runs the body.
  final func startTask(priority: TaskPriority? = nil) -> Task<Void, any Error>? {
    guard let followed = engine.book.followed else {
      return Task.atOnce(priority: priority) { if self.begin() { await self.run() } }
    }
    return followed.makeTask(priority: priority) {
      guard self.begin() else { return }
      followed.bodyHasBegun()
      await self.run()
      followed.bodyHasReturned()
    }
  }

  final func hasFinished() { engine.book.hasReturned(self, .success(())) }

  final func hasThrown(_ error: any Error) {
    guard !isOver else { return }
    let failed = reportFailed(error)
    // A recorder of the event may have cancelled the work, which the book takes into account.
    engine.book.hasThrown(self, error, after: failed) { causing { handle(error) } }
  }

  /// Cuts the scope off, so that nothing that is done through it reaches the store (A6).
  final func detach() {
    engine.storage.checkIsNotReading()
    isCurrent = false
    let handles = extras?.handles ?? []
    extras?.handles = []
    for handle in handles { handle.scope?.detach() }
    detachDelegates()
    guard readsState else { return }
    if engine.storage.isHeld(by: self), !engine.isClosed {
      fatalError(
        """
        \(writerName) was cancelled in the middle of its own change of the state. The cancel came \
        from the body of `update`, or from code that a mutating call on a property of the store \
        runs. Such a change cannot be undone. Cancel before or after it.
        """)
    }
    engine.storage.transaction.whenReleased { self.switchToCopy() }
  }

  // Cuts off what the work does through the stores of its parents (C11). Work that has just ended
  // its own child, as in `{ store.editor = nil; store.count += 1 }`, goes on until it is suspended.
  private final func detachDelegates() {
    guard engine.isChild else { return }
    let isItsOwnDoing = TaskOrigin.caller === self || delegates.contains { $0.isCalling }
    guard engine.isClosed, isItsOwnDoing else {
      for delegate in delegates { delegate.detach() }
      return
    }
    isLeaving = true
    Task.detached { @MainActor in
      self.isLeaving = false
      for delegate in self.delegates { delegate.detach() }
    }
  }

  private final func switchToCopy() {
    engine.storage.checkRead()
    let copy = unsafe StateStorage(engine.storage.current, listening: engine.storage.listening)
    copy.delegate = DroppedChanges(log: engine.log, cause: cause, work: began?.event)
    copy.isRecording = true
    madeExtras.copy = copy
    storage = copy
  }

  /// Makes the scope use another storage of the same state, which the caller keeps.
  final func use(_ other: StateStorage<State>) { storage = other }

  final func add(_ handle: any Detachable) { madeExtras.add(handle) }

  final var delegates: [any CallerDelegate] { extras?.delegates ?? [] }

  final func add(delegate: any CallerDelegate) { madeExtras.delegates.append(delegate) }

  /// Whether code of the work that has ended its own child may go on, because it was not suspended.
  final var isLeaving: Bool {
    get { extras?.isLeaving ?? false }
    set { madeExtras.isLeaving = newValue }
  }

  private final var madeExtras: Extras {
    if let extras { return extras }
    let extras = Extras()
    self.extras = extras
    return extras
  }

  /// What a scope keeps if it has made handles, called a parent or was detached.
  @MainActor private final class Extras {
    /// The handles to children, which end with the scope.
    var handles: [WeakHandle] = []
    var delegates: [any CallerDelegate] = []
    var isLeaving = false
    /// The copy of the state that a stale writer reads and writes.
    var copy: StateStorage<State>?
    private var limit = 8

    func add(_ handle: any Detachable) {
      if handles.count >= limit {
        handles.removeAll { $0.scope == nil }
        limit = max(8, handles.count * 2)
      }
      handles.append(WeakHandle(scope: handle))
    }
  }
}

/// A scope that can be cut off, whatever its types are.
@MainActor protocol Detachable: AnyObject {
  func detach()
}

private struct WeakHandle {
  weak var scope: (any Detachable)?
}

extension Scope: Detachable {}

extension Scope: Writer {
  // Keeps the log, and with it the state, until the delivery ends. What follows from a write may end
  // the store.
  @usableFromInline final var writerDescription: @MainActor () -> String {
    { [log = engine.isChild ? engine.log : nil, name = writerName] in log?.fullName(name) ?? name }
  }

  @usableFromInline final var target: StateNode { storage }

  @usableFromInline final var causeOfWrites: Propagation.Cause? { engine.log.cause(currentCause) }

  @usableFromInline final var workOfWrites: Int? { began?.event }

  @usableFromInline final func hasDropped<Value>(from old: Value, to new: Value) {
    // `Value` is `State`, because the writer writes to its own storage.
    guard let old = old as? State, let new = new as? State else { return }
    report(.dropped(.change(from: old, to: new)))
  }

  /// Returns the storage, after a log that was enabled in the meantime has been connected.
  final func readyStorage() -> StateStorage<State> {
    storage.connectListeners()
    return storage
  }
}

/// The scope of the store itself, for its binder and for callers outside of actions and hooks.
class StoreScope<State, Action>: Scope<State, Action> {
  override var currentCause: Int? { engine.log.currentCause }
}

/// The first event of work and its time; a class, so that without events `nil` takes one word.
final class Beginning {
  let event: Int
  private let instant = ContinuousClock.now

  init(event: Int) { self.event = event }

  var age: Duration { instant.duration(to: .now) }
}

/// Reports what a stale writer changes in its own copy of the state.
@MainActor private final class DroppedChanges<State, Action>: StateStorageDelegate {
  private weak var log: EventLog<State, Action>?
  private let cause: Int?
  private let work: Int?

  init(log: EventLog<State, Action>, cause: Int?, work: Int?) {
    self.log = log
    self.cause = cause
    self.work = work
  }

  var origin: OriginState { OriginState() }
  var wantsRecord: Bool { log?.isWatched ?? false }

  func listenersMayHaveChanged() { _ = log?.isWatched }

  func storage(
    didCommitFrom old: State, to new: State, by writer: any Writer,
    in context: Propagation.Context, as number: inout Int?
  ) -> Propagation.Cause? {
    log?.emit(.dropped(.change(from: old, to: new)), cause: cause, work: work, in: context)
    return nil
  }

  func storage(didDerive change: DerivedChange, in context: Propagation.Context) {}
  func storage(didStopLoop chain: [String], in context: Propagation.Context) {}
}
