/// What a store is made of, apart from the store itself: nothing that user code holds points back
/// to `Store`, so that releasing it ends everything (A9).
@MainActor final class Engine<State, Action> {
  let model: Model<State>
  let book = WorkBook()
  let log: EventLog<State, Action>
  private var handler: ActionHandler<State, Action>?
  /// An object may be what its own sinks hold weakly.
  private var hookable: (any Hookable<State, Action>)?
  private var hooks: [HookConnection<State, Action>] = []
  private let identify = Engine.identification
  // Looked up once: in generic code each mention of a generic type is a search.
  private let scopeType = Scope<State, Action>.self
  private let bodyType = ActionBody<State, Action>.self

  init(state: State, handler: ActionHandler<State, Action>?) {
    let model = Model(state)
    self.model = model
    self.handler = handler
    log = EventLog { model.isRecording = $0 }
    model.delegate = self
  }

  private(set) var isClosed = false

  /// Ends everything and lets go of what was captured.
  ///
  /// Nothing is begun from here on, by whomever the end is told.
  func close() {
    isClosed = true
    handler = nil
    hookable = nil
    deactivateHooks()
    book.close()
    model.close()
    log.finish()
  }

  // MARK: - Hooks

  func connect<H: Hookable<State, Action>>(_ hookable: H) {
    self.hookable = hookable
    for hook in H.Hook.allCases {
      let connection = HookConnection(name: "\(hook)", in: self)
      hooks.append(connection)
      connection.open(hookable, hook)
    }
  }

  func deactivateHooks() {
    let connections = hooks
    hooks = []
    for connection in connections { connection.close() }
  }

  // MARK: - Work

  /// Starts an action on behalf of a scope.
  ///
  /// The work is in the book before it runs (A3).
  func perform(_ action: Action, from caller: Scope<State, Action>) -> Work {
    guard caller.isCurrent, let handler else {
      log.emit(.dropped(.action(action)), cause: caller.cause)
      return .dropped
    }
    let scope = scopeType.init(.action, in: self)
    let (name, overlap) = identify?(action) ?? (nil, .concurrent)
    let body = bodyType.init(action, by: handler, in: scope)
    return admit(body, name: name, overlap: overlap, in: scope, from: caller) {
      if log.isWatched { body.begin(cause: caller.currentCause) }
    }
  }

  /// Starts a run on behalf of a scope (A5).
  func run(
    name: WorkName?, overlap: Overlap, priority: TaskPriority?, from caller: Scope<State, Action>,
    _ operation: @escaping RunBody<State, Action>.Operation
  ) -> Work {
    guard caller.isCurrent, !isClosed else {
      log.emit(.dropped(.run), cause: caller.cause)
      return .dropped
    }
    let scope = Scope(.run, in: self)
    scope.cause = caller.currentCause
    let body = RunBody(operation, priority: priority, origin: caller.action, in: scope)
    return admit(body, name: name, overlap: overlap, in: scope, from: caller) {}
  }

  private func admit(
    _ body: WorkBody, name: WorkName?, overlap: Overlap, in scope: Scope<State, Action>,
    from caller: Scope<State, Action>, announce: () -> Void
  ) -> Work {
    let work = Work(name: name, parent: caller.work, body: body)
    scope.work = work
    // A hook that begins work does not own the sinks that the work makes.
    Witness.withNone { book.admit(work, overlap: overlap, announce: announce) }
    return work
  }

  func cancel(_ identifier: any Hashable & Sendable, from caller: Scope<State, Action>) {
    guard caller.isCurrent else {
      log.emit(.dropped(.cancel), cause: caller.cause)
      return
    }
    book.cancel(WorkName(identifier))
  }

  /// Waits for a piece of work; cancelling the task that waits cancels it (A2).
  func wait(for work: Work) async {
    guard !work.isEnded else { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        work.whenEnded { _ in continuation.resume() }
      }
    } onCancel: {
      MainQueue.run { self.book.cancel(work) }
    }
  }

  // MARK: - Errors

  func reportUnhandled(_ error: any Error, of action: Action?, cause: Int?) {
    if log.emit(.unhandled(error, action), cause: cause) == nil {
      let origin = action.map { "The action \($0)" } ?? "A run"
      StandardError.print(
        "Signalbox: \(origin) threw \(error), and nobody handles it. Add onError to the interactor."
      )
    }
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

extension Engine: ModelDelegate {
  var wantsRecord: Bool { true }

  func model(
    didCommitFrom old: State, to new: State, by writer: any Writer, in context: Propagation.Context
  ) -> Propagation.Cause? {
    let cause = (writer as? Scope<State, Action>)?.currentCause
    return log.cause(log.emit(.stateChanged(from: old, to: new), cause: cause, in: context))
  }

  func model(didStopLoop chain: [String], in context: Propagation.Context) {
    if log.emit(.loopStopped(chain), cause: log.currentCause, in: context) == nil {
      StandardError.print(
        """
        Signalbox: writes followed from one another for \(Propagation.roundLimit) rounds and were \
        stopped. The last one stands, its delivery was dropped: \(chain.joined(separator: " → ")) \
        → and so on. Let one of them write only what differs.
        """)
    }
  }
}
