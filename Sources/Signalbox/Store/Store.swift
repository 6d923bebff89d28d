public import Observation

/// Holds one value of state, and everything that may change it.
///
///     let store = Store(state: ChatState(), interactor: ChatInteractor(service: service))
///     store.dispatch(.load)
///     store.messages        // what `load` did up to its first suspension is here already (A1)
///
/// Read-only but for its `binder`; the state changes in actions and hooks. It is `Observable` for
/// each property apart (M5). When it is released its actions and hooks are cancelled, its signals
/// finish, and whoever waits on them is resumed (A9).
@MainActor @dynamicMemberLookup public final class Store<State, Action>: Observable {
  let engine: Engine<State, Action>
  let scope: Scope<State, Action>
  /// The handler, where it can be reached from any thread.
  nonisolated let receiver: (any Sendable)?
  /// What the store is called by the log, in failures and on standard error.
  ///
  /// Not `name`, which is what many a state calls a property of its own.
  nonisolated public let storeName: String?

  init(
    state: State, handler: ActionHandler<State, Action>?, name: String?,
    receiver: (any Sendable)? = nil
  ) {
    engine = Engine(state: state, handler: handler, name: name)
    scope = StoreScope(in: engine)
    storeName = name
    self.receiver = receiver
  }

  /// Makes a store whose actions are handled and whose hooks are connected by an interactor.
  ///
  /// - Parameters:
  ///   - state: the first state.
  ///   - interactor: is kept as long as the store.
  ///   - middleware: stands around the actions, the first one outermost.
  ///   - name: what the store is called by the log, in failures and on standard error; without one,
  ///     the log calls it by the type of its state.
  public convenience init<I: Interactor<State, Action>>(
    state: State, interactor: I, middleware: any Middleware<State, Action>...,
    name: String? = nil
  ) {
    self.init(state: state, handler: .make(interactor, middleware: middleware), name: name)
    engine.connect(interactor)
  }

  /// Makes a store with actions and without hooks.
  public convenience init<A: Actionable<State, Action>>(
    state: State, actionable: A, middleware: any Middleware<State, Action>...,
    name: String? = nil
  ) {
    self.init(state: state, handler: .make(actionable, middleware: middleware), name: name)
  }

  /// Makes a store with hooks; an action that they dispatch is dropped.
  public convenience init<H: Hookable<State, Action>>(
    state: State, hookable: H, name: String? = nil
  ) {
    self.init(state: state, handler: nil, name: name)
    engine.connect(hookable)
  }

  /// Makes a store of state alone, to be changed through its `binder`.
  public convenience init(state: State, name: String? = nil) where Action == Never {
    self.init(state: state, handler: nil, name: name)
  }

  // Not isolated: that may abort, on Apple's systems, when the last release is outside of a task
  // that has task-locals.
  deinit { MainQueue.run { [engine] in engine.close() } }

  /// Makes a store that connects no hooks yet: for who listens from the start.
  package convenience init<A: Actionable<State, Action>>(
    unconnected state: State, actionable: A, middleware: [any Middleware<State, Action>],
    name: String?
  ) {
    self.init(state: state, handler: .make(actionable, middleware: middleware), name: name)
  }

  /// Makes a store without actions that connects no hooks yet.
  package convenience init(unconnected state: State, name: String?) {
    self.init(state: state, handler: nil, name: name)
  }

  /// Connects the hooks of a store that was made without.
  package func connect<H: Hookable<State, Action>>(_ hookable: H) { engine.connect(hookable) }

  /// The store as the outside sees it, and free to write: for the test store to arrange a state.
  package var arranging: MutatingStore<State, Action> { MutatingStore(scope) }

  /// The state of now.
  public var state: State {
    engine.storage.readTracked(engine.storage.identity, path: engine.storage.whole)
  }

  /// A property of the state.
  public subscript<T>(dynamicMember keyPath: KeyPath<State, T>) -> T {
    engine.storage.readTracked(keyPath, path: StatePath(keyPath))
  }

  /// The changes of the state; key paths lead to its parts.
  public var publisher: StatePublisher<State, State> {
    StatePublisher(engine.storage)
  }

  /// Reads and writes single properties, for user interfaces.
  public var binder: Binder<State, Action> {
    Binder(
      storage: engine.storage, writer: scope, isReadOnly: engine.isSynchronous
    ) { [scope] action in
      _ = scope.engine.perform(action, from: scope)
    }
  }

  /// Everything that happens in the store, each with its cause, from now on (H4).
  ///
  /// The first event is `.started`, with the state of now. Subscribers get events as they get all
  /// values: behind what is being delivered (S5). A store without subscribers pays nothing for it.
  public var events: Signal<StoreEvent<State, Action>> {
    engine.log.signal
  }
}

extension Store {
  /// Starts an action, and runs it up to its first suspension before it returns (A1).
  ///
  /// In asynchronous code `dispatch` is the one that waits; there, `send` starts an action and goes
  /// on.
  public func dispatch(_ action: Action) {
    if !engine.handleAtOnce(action) { _ = engine.perform(action, from: scope) }
  }

  /// Starts an action and waits until it has ended.
  ///
  /// Cancelling the waiting task cancels the action (A2). It keeps the store alive meanwhile.
  public func dispatch(_ action: Action) async {
    await engine.wait(for: engine.perform(action, from: scope), in: scope)
  }

  /// Starts an action and returns a handle on it, which does not keep the store alive.
  @discardableResult
  public func send(_ action: Action) -> ActionTask {
    engine.send(action, from: scope)
  }

  /// Cancels the work that has the action's name.
  ///
  /// Not an error if there is none.
  public func cancel(_ action: Action) where Action: CancellableAction {
    if let identifier = action.cancelIdentifier { cancel(id: identifier) }
  }

  /// Cancels all work of a name, running and queued.
  ///
  /// Not an error if there is none.
  public func cancel(id: any Hashable & Sendable) { engine.cancel(id, from: scope) }

  /// Cancels all work.
  public func cancelAll() { engine.book.cancelAll() }

  /// Whether work of a name is running or queued.
  public func isRunning(id: any Hashable & Sendable) -> Bool {
    engine.book.isRunning(WorkName(id))
  }

  /// How much work is running or queued.
  public var runningCount: Int { engine.book.count }

  /// Ends all hooks: none of their sinks runs again (H3).
  public func deactivateHooks() { engine.deactivateHooks() }

  /// Waits until no work is running or queued.
  ///
  /// It keeps the store alive meanwhile. Cancelling the waiting task ends the wait, and nothing
  /// else.
  public func settle() async {
    while engine.book.count > 0, !Task.isCancelled {
      // A stream, because that is what ends a wait when the task is cancelled.
      let (idle, continuation) = AsyncStream.makeStream(of: Never.self)
      let waiter = engine.book.whenIdle { continuation.finish() }
      for await _ in idle {}
      engine.book.stopWaiting(waiter)
    }
  }
}
