public import Observation

/// Holds one value of state, which its actions and hooks change.
///
///     let store = Store(state: ChatState(), interactor: ChatInteractor(service: service))
///     store.dispatch(.load)
///     store.messages        // shows what `load` did up to its first suspension (A1)
///
/// A store is read-only except through its `binder`. It is `Observable` for each property
/// separately (M5). When it is released, its actions and hooks are cancelled, its signals finish,
/// and waiting callers are resumed (A9).
@MainActor @dynamicMemberLookup public final class Store<State, Action>: Observable {
  let engine: Engine<State, Action>
  let scope: Scope<State, Action>
  /// What other threads send to; `nil` if they cannot reach the handler.
  nonisolated let receiver: (any Sendable)?
  /// The name of the store in the log, in test failures and in the system log.
  ///
  /// The property is not called `name` because many states have a property of that name.
  nonisolated public let storeName: String?

  /// Whether this is a handle to a child, whose release ends nothing (C6).
  nonisolated let isHandle: Bool

  /// Makes a store whose hooks are not connected yet, so that a test store can observe it first.
  package convenience init(
    state: State, handler: ActionHandler<State, Action>?, name: String?
  ) {
    let engine = Engine(state: state, handler: handler, name: name)
    self.init(engine, StoreScope(in: engine), isHandle: false)
  }

  init(_ engine: Engine<State, Action>, _ scope: Scope<State, Action>, isHandle: Bool) {
    self.engine = engine
    self.scope = scope
    self.isHandle = isHandle
    storeName = engine.log.name
    receiver = engine.receiver
  }

  /// Makes a store with an interactor, which handles its actions and connects its hooks.
  ///
  /// - Parameters:
  ///   - state: the initial state.
  ///   - interactor: the interactor. The store keeps it until it is released.
  ///   - middleware: wraps the actions, the first one outermost. The store keeps it until it is
  ///     released.
  ///   - name: the name of the store in the log, in test failures and in the system log. Without a
  ///     name, the log uses the type of the state.
  public convenience init<I: Interactor>(
    state: I.State, interactor: I, middleware: any Middleware<I.State, I.Action>...,
    name: String? = nil
  ) where State == I.State, Action == I.Action {
    self.init(state: state, handler: .interactor(interactor, middleware), name: name)
    engine.handler?.connect(scope)
  }

  /// Makes a store with actions.
  ///
  /// An interactor has its hooks here, too (H1).
  public convenience init<A: Actionable>(
    state: A.State, actionable: A, middleware: any Middleware<A.State, A.Action>...,
    name: String? = nil
  ) where State == A.State, Action == A.Action {
    self.init(state: state, handler: .actionable(actionable, middleware), name: name)
    engine.handler?.connect(scope)
  }

  /// Makes a store with hooks, which drops every action that is dispatched.
  ///
  /// An interactor handles its actions here, too (H1).
  public convenience init<H: Hookable<State, Action>>(
    state: State, hookable: H, name: String? = nil
  ) {
    self.init(state: state, handler: .interactor(from: hookable), name: name)
    instruments.connect(hookable)
  }

  /// Makes a store without actions and hooks, which is changed through its `binder`.
  public convenience init(state: State, name: String? = nil) where Action == Never {
    self.init(state: state, handler: nil, name: name)
  }

  /// Makes a store with a state alone, for the preview of a view.
  ///
  /// It drops every action, and its `binder` writes.
  ///
  ///     #Preview { RowView(row: .preview(Row(name: "Milk"))) }
  ///
  /// - Parameters:
  ///   - state: the state to show.
  ///   - name: the name of the store in the log.
  public static func preview(_ state: State, name: String? = nil) -> Store {
    Store(state: state, handler: nil, name: name)
  }

  // Not an isolated deinit, which may abort on Apple's platforms if the last release happens
  // outside of a task and there are task-local values.
  deinit {
    MainQueue.run { [engine, isHandle] in
      if !isHandle { engine.close() }
      withExtendedLifetime(engine) {}
    }
  }

  /// The current state.
  public var state: State {
    engine.storage.readTracked(engine.storage.identity, path: engine.storage.whole)
  }

  /// A property of the state.
  public subscript<T>(dynamicMember keyPath: KeyPath<State, T>) -> T {
    engine.storage.readTracked(keyPath, path: StatePath(keyPath))
  }

  /// Publishes the changes of the state and, by key path, of its parts.
  public var publisher: StatePublisher<State, State> {
    StatePublisher(engine.storage)
  }

  /// Reads and writes single properties, for user interfaces (M6).
  public var binder: Binder<State, Action> {
    Binder(
      storage: engine.storage, writer: scope, isReadOnly: engine.performsItself
    ) { [scope] action in
      _ = scope.engine.perform(action, from: scope)
    }
  }

  /// Publishes everything that happens in the store from now on, with its cause (H4).
  ///
  /// The first event is `.started`, with the current state. Like other values, an event arrives
  /// after the current delivery (S5). A store without a subscriber or a recorder makes no events.
  public var events: Signal<StoreEvent<State, Action>> {
    engine.log.signal
  }
}

extension Store {
  /// Starts an action and runs it up to its first suspension before returning (A1).
  ///
  /// In an asynchronous function, `dispatch` resolves to the overload that waits. Use `send` there to
  /// start an action without waiting for it. At the top level of `main.swift`, `dispatch` never waits.
  public func dispatch(_ action: Action) {
    if !scope.isCurrent || !engine.handleAtOnce(action) { _ = engine.perform(action, from: scope) }
  }

  /// Starts an action and waits until it has ended.
  ///
  /// Cancelling the waiting task cancels the action (A2). The call keeps the store alive until the
  /// action has ended. An event of a transducer is awaited with all effects that follow from it (X7).
  public func dispatch(_ action: Action) async {
    if engine.performsItself { return await engine.wait(for: send(action), in: scope) }
    await engine.wait(for: engine.perform(action, from: scope), in: scope)
  }

  /// Starts an action and returns a handle to it, which does not keep the store alive.
  @discardableResult
  public func send(_ action: Action) -> ActionTask {
    engine.send(action, from: scope)
  }

  /// Cancels the running and queued work that has the action's name, whatever its payload.
  ///
  /// Does nothing if there is no such work.
  public func cancel(_ action: Action) where Action: CancellableAction {
    if let identifier = action.cancelIdentifier { cancel(id: identifier) }
  }

  /// Cancels all running and queued work of a name.
  ///
  /// Does nothing if there is no such work.
  public func cancel(id: any Hashable) { engine.cancel(id, from: scope) }

  /// Cancels all work, including that of all children (C8).
  public func cancelAll() { ifCurrent { engine.cancelAll() } }

  /// Whether work of a name is running or queued.
  public func isRunning(id: any Hashable) -> Bool {
    engine.book.isRunning(WorkName(id))
  }

  /// The number of actions and runs that are running or queued, including those of all children (C8).
  public var runningCount: Int { engine.runningCount }

  /// Ends all hooks, after which none of their sinks runs (H3).
  public func deactivateHooks() { ifCurrent { engine.deactivateHooks() } }

  /// Ends something, unless this is a handle of work that was cancelled (A6).
  private func ifCurrent(_ body: () -> Void) {
    if scope.isCurrent { body() } else { scope.report(.dropped(.cancel)) }
  }

  /// Waits until no work is running or queued, here and in all children (C8).
  ///
  /// The call keeps the store alive while it waits. Cancelling the waiting task ends the wait and
  /// has no other effect.
  public func settle() async {
    while let book = engine.busyBook, !Task.isCancelled {
      let idle = Promise<Void>()
      let waiter = book.whenIdle { idle.fulfil(()) }
      await idle.value { idle.fulfil(()) }
      book.stopWaiting(waiter)
    }
  }
}
