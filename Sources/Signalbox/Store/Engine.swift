/// Holds everything that a store consists of and carries out its work.
///
/// What the store keeps refers to this, never to the `Store`, so its release ends everything (A9).
@MainActor final class Engine<State, Action> {
  let storage: StateStorage<State>
  let book: WorkBook
  let log: EventLog<State, Action>
  private(set) var handler: ActionHandler<State, Action>?
  let performsItself: Bool
  let isChild: Bool
  /// Kept because a hookable object may be captured weakly by its own sinks.
  private(set) var hookable: (any Hookable<State, Action>)?
  private var hooks: [HookScope<State, Action>] = []
  private let identify = Engine.identification
  // Stored because every mention of a generic type in generic code looks up its metadata.
  private let actionScopeType = ActionScope<State, Action>.self
  private let hookScopeType = HookScope<State, Action>.self

  /// Made when a sink first asks for it.
  var madeOrigin: StoreOrigin<State, Action>?

  /// The declared children; `nil` if the interactor declares none.
  var declared: DeclaredChildren<State>?

  convenience init(state: State, handler: ActionHandler<State, Action>?, name: String?) {
    let storage = unsafe StateStorage(state, listening: UnsafePointer(StoreListening.isActive))
    self.init(storage, handler, name: name, parent: nil)
  }

  convenience init(
    child storage: StateStorage<State>, handler: ActionHandler<State, Action>?, at path: ChildPath,
    of parent: (any ChildEngine)?
  ) {
    let log = parent?.eventLog
    self.init(storage, handler, name: log?.name, parent: log.map { ($0, path) })
    book.follower = parent?.follower
    hooksAreOff = parent?.hooksAreOff ?? false
  }

  private init(
    _ storage: StateStorage<State>, _ handler: ActionHandler<State, Action>?, name: String?,
    parent: (any ParentLog, ChildPath)?
  ) {
    self.storage = storage
    self.handler = handler
    performsItself = handler?.performsItself ?? false
    isChild = parent != nil
    let log = EventLog<State, Action>(
      name: name, handler?.feature ?? State.self, parent: parent, storage)
    self.log = log
    book = WorkBook { log.currentCause }
    storage.delegate = self
    // Lets the listener to all stores receive the events of this store from its start.
    _ = log.isWatched
  }

  /// The handler while only a pending change shows the state, so that actions are dropped (O3).
  private var withheld: ActionHandler<State, Action>?

  var isWithheld: Bool { withheld != nil }

  var receiver: (any Sendable)? { (handler ?? withheld)?.receiver }

  /// Begins the store of a child, or only declares its children if its state is not in the truth.
  func begin(isTrue: Bool, _ scope: Scope<State, Action>) {
    if isTrue, let handler = withheld.take() { self.handler = handler }
    if !isTrue { withheld = handler.take() }
    // A transducer declares none, and would handle what is posted to it.
    if isTrue || !performsItself { (handler ?? withheld)?.connect(scope) }
  }

  private(set) var isClosed = false
  /// Whether no hooks are connected any more, here and in children that begin (H3).
  private(set) var hooksAreOff = false

  var follower: (any WorkFollower)? { book.follower }

  func fullName(_ name: String) -> String { log.fullName(name) }

  /// Nothing starts from here on, even if code that this method calls dispatches an action.
  func close() {
    storage.checkIsNotReading()
    isClosed = true
    log.storeIsEnding()
    // `take()`, because the property must be `nil` when the object's `deinit` dispatches once more.
    handler.take()?.close()
    withheld.take()?.close()
    closeChildren()
    closeHooks()
    _ = hookable.take()
    book.close()
    storage.close()
    storage.detach()
    madeOrigin?.storeIsGone()
    log.finish()
    log.storeIsGone()
  }

  // MARK: - Hooks

  func connect<H: Hookable<State, Action>>(_ hookable: H) {
    self.hookable = hookable
    for hook in H.hooks {
      // The hook before may have ended the store or its hooks.
      if hooksAreOff || isClosed { break }
      // Or it has removed the state of this child, which a batch may still bring back.
      if storage.transaction.batch == nil, !storage.isPresent { break }
      let connection = hookScopeType.init({ "\(hook)" }, in: self)
      hooks.append(connection)
      connection.connect(hookable, to: hook)
    }
    if isClosed { _ = self.hookable.take() }
  }

  func deactivateHooks() {
    hooksAreOff = true
    closeHooks()
    for child in liveChildren { child.deactivateHooks() }
  }

  func closeHooks() {
    let connections = hooks
    hooks = []
    for connection in connections { connection.close() }
  }

  func canFire(_ hook: String) -> Bool { hooks.contains { $0.hook == hook && $0.sinks > 0 } }

  func drainPosts() {
    for hook in hooks { hook.drainPosts() }
    handler?.drainPosts()
    for child in liveChildren { child.drainPosts() }
  }

  // MARK: - Work

  var isObserved: Bool { follower != nil || log.isWatched }

  @inline(__always) func handleAtOnce(_ action: Action) -> Bool {
    guard performsItself, let handler else { return false }
    return handler.handleAtOnce(action, in: self)
  }

  /// Starts an action on behalf of a scope, after the values that were posted to the handler.
  func perform(_ action: Action, from caller: Scope<State, Action>) -> Work {
    drainHandler()
    return perform(action, from: caller) { _ in } ?? .dropped
  }

  /// Makes the handle first, because one that is made after the end cannot wait for it to settle.
  func send(_ action: Action, from caller: Scope<State, Action>) -> ActionTask {
    drainHandler()
    var task: ActionTask?
    _ = perform(action, from: caller) {
      task = ActionTask($0, in: book, cancelsEffects: performsItself)
    }
    return task ?? ActionTask(.dropped, in: book)
  }

  /// Starts an action, whose scope `willStart` receives before; returns `nil` if it was dropped.
  func perform(
    _ action: Action, from caller: Scope<State, Action>,
    willStart: (ActionScope<State, Action>) -> Void
  ) -> ActionScope<State, Action>? {
    storage.checkIsNotReading()
    guard caller.isCurrent, handler != nil else {
      caller.report(.dropped(.action(action)))
      return nil
    }
    if performsItself, let handler {
      return handler.perform(action, from: caller, in: self, willStart: willStart)
    }
    return admit(action, from: caller, willStart: willStart)
  }

  @inline(__always) private func drainHandler() {
    if performsItself { handler?.drainPosts() }
  }

  /// Turns an action into work, which enters the book before it starts (A3).
  @inline(__always) func admit(
    _ action: Action, from caller: Scope<State, Action>,
    willStart: (ActionScope<State, Action>) -> Void
  ) -> ActionScope<State, Action> {
    let (name, overlap) = identify?(action) ?? (nil, .concurrent)
    let scope = actionScopeType.init(action, name: name, parent: caller, in: self)
    book.admit(scope, overlap: overlap) {
      if log.isWatched { scope.begin(cause: caller.currentCause) }
      willStart(scope)
    }
    return scope
  }

  func run(
    id: (any Hashable & Sendable)?, overlap: Overlap, priority: TaskPriority?,
    from caller: Scope<State, Action>, _ operation: @escaping RunScope<State, Action>.Operation
  ) -> ActionTask {
    storage.checkIsNotReading()
    guard caller.isCurrent, !isClosed else {
      caller.report(.dropped(.run))
      return ActionTask(.dropped, in: book)
    }
    let scope = RunScope(
      id: id, priority: priority, parent: caller, maker: caller.origin, in: self, operation)
    let task = ActionTask(scope, in: book)
    book.admit(scope, overlap: overlap) { scope.begin(cause: caller.currentCause) }
    return task
  }

  func cancel(_ identifier: any Hashable, from caller: Scope<State, Action>) {
    guard caller.isCurrent else {
      caller.report(.dropped(.cancel))
      return
    }
    book.cancel(WorkName(identifier), by: caller.currentCause)
  }

  // Waits for work, which a cancel of the waiting task cancels (A2). If the caller would wait for
  // itself, also through other work, it reports `EndlessWait` and returns at once.
  func wait(for work: Work, in caller: Scope<State, Action>) async {
    guard !work.isEnded else { return }
    // The caller may have dispatched the action that superseded it. The caller's task is cancelled
    // by now, and that must not cancel the successor.
    guard caller.isCurrent else { return }
    guard caller.isUnderWay else { return await ended(work, orCancelledBy: nil) }
    guard !book.mustWait(work, for: caller) else { return reportEndlessWait(in: caller) }
    await caller.awaiting(work) { await ended(work, orCancelledBy: caller.began?.event) }
  }

  /// Waits for an event and its effects, which a cancel of the waiting task cancels (X7).
  func wait(for event: ActionTask, in caller: Scope<State, Action>) async {
    // As above, a caller that is stale by now must cancel nothing.
    if caller.isCurrent { await event.settledOrCancelled() }
  }

  private func ended(_ work: Work, orCancelledBy event: Int?) async {
    await withTaskCancellationHandler {
      await waitForWork(work.firstEvent, on: book.follower) { end in
        work.makeWaiters().whenEnded { _ in end() }
      }
    } onCancel: {
      MainQueue.run { self.book.callerWasCancelled(work, by: event) }
    }
  }

  /// Gives an action its name and overlap; made once, because a cast to an existential is slow.
  private static var identification: ((Action) -> (WorkName?, Overlap))? {
    func open<A: CancellableAction>(_: A.Type) -> (Action) -> (WorkName?, Overlap) {
      { action in
        // `A` is `Action`, but the compiler cannot know that without the cast.
        guard let action = action as? A else { return (nil, .concurrent) }
        return (action.cancelIdentifier.map { WorkName($0) }, action.overlap)
      }
    }
    return (Action.self as? any CancellableAction.Type).map { open($0) }
  }
}
