/// What a store is made of, apart from the store itself: nothing that user code holds points back
/// to `Store`, so that releasing it ends everything (A9).
@MainActor final class Engine<State, Action> {
  let storage: StateStorage<State>
  let book: WorkBook
  let log: EventLog<State, Action>
  private(set) var handler: ActionHandler<State, Action>?
  /// Whether an action is over when it has been dispatched, and the state is no one else's to change.
  let isSynchronous: Bool
  /// An object may be what its own sinks hold weakly.
  private var hookable: (any Hookable<State, Action>)?
  private var hooks: [HookScope<State, Action>] = []
  private let identify = Engine.identification
  // Looked up once: in generic code each mention of a generic type is a search.
  private let actionScopeType = ActionScope<State, Action>.self
  private let hookScopeType = HookScope<State, Action>.self

  init(state: State, handler: ActionHandler<State, Action>?, name: String?) {
    let storage = unsafe StateStorage(state, listening: UnsafePointer(StoreListening.isActive))
    self.storage = storage
    self.handler = handler
    isSynchronous = handler?.isSynchronous ?? false
    let log = EventLog<State, Action>(
      name: name, state: { storage.read(\.self) }, receiversChanged: { storage.isRecording = $0 })
    self.log = log
    book = WorkBook { log.currentCause }
    storage.delegate = self
    // Who listens to all stores hears of this one from its beginning.
    _ = log.isWatched
  }

  /// How much work marks a property (A13).
  var marks: [AnyKeyPath: Int] = [:]

  private(set) var isClosed = false
  private(set) weak var follower: (any StoreFollower)?
  /// Is told that work begins to wait for the outside; gives what is to be called at the end of it.
  private(set) var willListen: (@MainActor () -> @MainActor () -> Void)?

  func follow(by follower: any StoreFollower) {
    self.follower = follower
    book.follow = { [weak follower] (work: Work) in
      guard let follower else { return work.start() }
      let isOver = follower.start(work.description) { work.start() }
      work.makeWaiters().whenOver(isOver)
    }
    book.willWait = { [weak follower] in follower?.willWait() ?? {} }
    willListen = { [weak follower] in follower?.willListen() ?? {} }
  }

  /// Ends everything and lets go of what was captured.
  ///
  /// Nothing is begun from here on, by whomever the end is told.
  func close() {
    isClosed = true
    // Taken, not assigned: who is released here may come back for one last action.
    handler.take()?.close()
    deactivateHooks()
    _ = hookable.take()
    book.close()
    storage.close()
    log.finish()
  }

  // MARK: - Hooks

  func connect<H: Hookable<State, Action>>(_ hookable: H) {
    self.hookable = hookable
    for hook in H.Hook.allCases {
      let connection = hookScopeType.init({ "\(hook)" }, in: self)
      hooks.append(connection)
      connection.connect(hookable, to: hook)
    }
  }

  func deactivateHooks() {
    let connections = hooks
    hooks = []
    for connection in connections { connection.close() }
  }

  func canFire(_ hook: String) -> Bool { hooks.contains { $0.hook == hook && $0.sinks > 0 } }

  func drainPosts() {
    for hook in hooks { hook.drainPosts() }
    handler?.drainPosts()
  }

  // MARK: - Work

  /// Handles an action from outside without making work of it, if nobody could tell.
  @inline(__always) func handleAtOnce(_ action: Action) -> Bool {
    guard isSynchronous, book.follow == nil, !log.isWatched else { return false }
    handler?.handleAtOnce(action)
    return true
  }

  /// Starts an action on behalf of a scope.
  ///
  /// The work is in the book before it runs (A3).
  func perform(_ action: Action, from caller: Scope<State, Action>) -> Work {
    if isSynchronous { handler?.drainPosts() }
    return perform(action, from: caller) { _ in } ?? .dropped
  }

  /// The same, with a handle, which is there before the work ends: it tells when that settles.
  func send(_ action: Action, from caller: Scope<State, Action>) -> ActionTask {
    if isSynchronous { handler?.drainPosts() }
    var task: ActionTask?
    _ = perform(action, from: caller) { task = ActionTask($0, in: book) }
    return task ?? ActionTask(.dropped, in: book)
  }

  /// The same, with a look at the action's scope before it starts; `nil` if it was dropped.
  func perform(
    _ action: Action, from caller: Scope<State, Action>,
    willStart: (ActionScope<State, Action>) -> Void
  ) -> ActionScope<State, Action>? {
    guard caller.isCurrent, handler != nil else {
      caller.report(.dropped(.action(action)))
      return nil
    }
    if isSynchronous {
      // Over at once: it overlaps nothing, and nobody is to find it in the book only because
      // somebody else listens.
      let scope = actionScopeType.init(action, name: nil, parent: caller, in: self)
      if log.isWatched { scope.begin(cause: caller.currentCause) }
      willStart(scope)
      // Who heard of it may have released the store.
      if isClosed { scope.cancel(.closed) } else { book.start(scope) }
      return scope
    }
    let (name, overlap) = identify?(action) ?? (nil, .concurrent)
    let scope = actionScopeType.init(action, name: name, parent: caller, in: self)
    book.admit(scope, overlap: overlap) {
      if log.isWatched { scope.begin(cause: caller.currentCause) }
      willStart(scope)
    }
    return scope
  }

  /// Starts a run on behalf of a scope (A5).
  func run(
    id: (any Hashable & Sendable)?, overlap: Overlap, priority: TaskPriority?,
    from caller: Scope<State, Action>, _ operation: @escaping RunScope<State, Action>.Operation
  ) -> ActionTask {
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

  func cancel(_ identifier: any Hashable & Sendable, from caller: Scope<State, Action>) {
    guard caller.isCurrent else {
      caller.report(.dropped(.cancel))
      return
    }
    book.cancel(WorkName(identifier), by: caller.currentCause)
  }

  /// Waits for a piece of work on behalf of a scope; cancelling the task that waits cancels the
  /// work (A2).
  ///
  /// Work that would wait for itself, directly or by way of others, is not made to: it would never
  /// end.
  func wait(for work: Work, in caller: Scope<State, Action>) async {
    guard !work.isEnded else { return }
    // An action may have dispatched the one that supersedes it. Its task is cancelled by now, and
    // that is not to reach its successor.
    guard caller.isCurrent else { return }
    guard caller.isUnderWay else { return await ended(work, orCancelledBy: nil) }
    guard !book.mustWait(work, for: caller) else { return reportEndlessWait(in: caller) }
    await caller.awaiting(work) { await ended(work, orCancelledBy: caller.began?.event) }
  }

  private func ended(_ work: Work, orCancelledBy event: Int?) async {
    let goesOn = book.willWait?()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        work.makeWaiters().whenEnded { _ in
          goesOn?()
          continuation.resume()
        }
      }
    } onCancel: {
      MainQueue.run { self.book.callerWasCancelled(work, by: event) }
    }
  }

  // MARK: - Errors

  /// Hands an error to the interactor: that of an action, or of a run made in its course.
  func handle(_ error: any Error, of action: Action?, in scope: Scope<State, Action>) {
    if let handler, let action {
      handler.onError(error, action: action, store: MutatingStore(scope))
    } else {
      reportUnhandled(error, of: action, in: scope)
    }
  }

  func reportUnhandled(_ error: any Error, of action: Action?, in scope: Scope<State, Action>) {
    if scope.report(.unhandled(error, action)) == nil {
      StandardError.print(
        """
        \(speaker): \(name(action)) threw \(Dump.description(of: error)), which is not handled. Add \
        \(isSynchronous ? "catch to the effect" : "onError to the interactor").
        """)
    }
  }

  private func reportEndlessWait(in scope: Scope<State, Action>) {
    let action = scope.origin
    if scope.report(.unhandled(EndlessWait(), action)) == nil {
      StandardError.print("\(speaker): \(name(action)) \(EndlessWait())")
    }
  }

  /// Who writes to standard error; `Signalbox (left)` where the store has a name.
  private var speaker: String { log.name.map { "Signalbox (\($0))" } ?? "Signalbox" }

  private func name(_ action: Action?) -> String {
    action.map { "The action \(Dump.description(of: $0))" } ?? "A run"
  }

  // MARK: - Identifiers

  /// How actions are named, found once: to ask each action by a cast is dear.
  private static var identification: ((Action) -> (WorkName?, Overlap))? {
    func open<A: CancellableAction>(_: A.Type) -> (Action) -> (WorkName?, Overlap) {
      { action in
        // `A` is `Action`, which only the cast can show.
        guard let action = action as? A else { return (nil, .concurrent) }
        return (action.cancelIdentifier.map { WorkName($0) }, action.overlap)
      }
    }
    return (Action.self as? any CancellableAction.Type).map { open($0) }
  }
}

extension Engine: StateStorageDelegate {
  var wantsRecord: Bool { true }

  // To ask looks for the log, which then has the model record.
  func listenersMayHaveChanged() { _ = log.isWatched }

  func storage(
    didCommitFrom old: State, to new: State, by writer: any Writer, in context: Propagation.Context
  ) -> Propagation.Cause? {
    let change = (writer as? Scope<State, Action>)?
      .report(.stateChanged(from: old, to: new), in: context)
    return log.cause(change)
  }

  func storage(didStopLoop chain: [String], in context: Propagation.Context) {
    if log.emit(.loopStopped(chain), cause: log.currentCause, in: context) == nil {
      StandardError.print(
        """
        \(speaker): writes followed from one another for \(Propagation.roundLimit) rounds and were \
        stopped. The last one stands, its delivery was dropped: \(chain.joined(separator: " → ")) \
        → and so on. Let one of them write only what differs.
        """)
    }
  }
}
