/// Handles the actions of a store, with the type of the interactor erased.
@MainActor package class ActionHandler<State, Action> {
  // Whether the handler performs actions itself, so that they are not work in the book. The engine
  // asks once, which saves each action three calls of methods that are seldom overridden (B4).
  var performsItself: Bool { false }
  var feature: Any.Type { State.self }
  /// What other threads send to; `nil` if they cannot reach the handler.
  nonisolated var receiver: (any Sendable)? { nil }

  /// Handles an action without a scope; `false` if the action needs one.
  func handleAtOnce(_ action: Action, in engine: Engine<State, Action>) -> Bool { false }

  /// Performs an action; called only if `performsItself`.
  func perform(
    _ action: Action, from caller: Scope<State, Action>, in engine: Engine<State, Action>,
    willStart: (ActionScope<State, Action>) -> Void
  ) -> ActionScope<State, Action> {
    engine.admit(action, from: caller, willStart: willStart)
  }

  /// Declares the children and connects the hooks, with the scope of the store itself.
  func connect(_ scope: Scope<State, Action>) {}

  /// Delivers the values that were posted and have not arrived.
  func drainPosts() {}

  /// Releases what the handler holds, because the store ends.
  func close() {}

  func onAction(_ action: Action, store: MutatingStore<State, Action>) async throws {}
  func onError(_ error: any Error, action: Action, store: MutatingStore<State, Action>) {}
  func onCancel(_ action: Action, store: MutatingStore<State, Action>) {}

  func start(_ scope: ActionScope<State, Action>) -> Task<Void, any Error>? {
    scope.startTask()
  }

  package static func actionable<A: Actionable<State, Action>>(
    _ actionable: A, _ middleware: [any Middleware<State, Action>]
  ) -> ActionHandler {
    // An interactor never loses its hooks, whatever the label with which it is passed.
    if let interactor = actionable as? any Interactor<State, Action> {
      return .interactor(interactor, middleware)
    }
    return wrap(ActionableHandler(actionable), in: middleware)
  }

  /// The handler of a type with hooks; `nil` if it has no actions, because it is no interactor.
  package static func interactor<H: Hookable<State, Action>>(from hookable: H) -> ActionHandler? {
    (hookable as? any Interactor<State, Action>).map { .interactor($0, []) }
  }

  package static func interactor<I: Interactor<State, Action>>(
    _ interactor: I, _ middleware: [any Middleware<State, Action>]
  ) -> ActionHandler {
    wrap(InteractorHandler(interactor), in: middleware)
  }

  /// Wraps a handler in its middleware, the first one outermost.
  private static func wrap(
    _ innermost: ActionHandler, in middleware: [any Middleware<State, Action>]
  ) -> ActionHandler {
    middleware.reversed().reduce(innermost) { $1.wrap($0) }
  }
}

/// Passes actions to an interactor, whose children it begins.
private class ActionableHandler<A: Actionable>: ActionHandler<A.State, A.Action> {
  final let actionable: A

  init(_ actionable: A) {
    self.actionable = actionable
  }

  override var feature: Any.Type { A.self }

  override func connect(_ scope: Scope<A.State, A.Action>) {
    scope.engine.connect(actionable) { _ in }
  }

  override func onAction(
    _ action: A.Action, store: MutatingStore<A.State, A.Action>
  ) async throws {
    try await actionable.onAction(action, store: store)
  }

  // Repeats the inherited `start` without `onAction`, which saves an asynchronous call.
  override func start(_ scope: ActionScope<A.State, A.Action>) -> Task<Void, any Error>? {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
      !ImmediateStart.isForced, scope.engine.book.followed == nil
    else { return super.start(scope) }
    var task: Task<Void, any Error>?
    // Runs once. In a loop, the optimiser inlines `immediate` and finds no executor preference.
    // Elsewhere, `Task.atOnce` included, each task records an empty one, for 1,000 instructions.
    while task == nil {
      task = Task.immediate { @MainActor in
        guard scope.begin() else { return }
        do {
          try await self.actionable.onAction(scope.action, store: MutatingStore(scope))
          scope.hasFinished()
        } catch {
          scope.hasThrown(error)
        }
      }
    }
    return task
  }

  override func onError(
    _ error: any Error, action: A.Action, store: MutatingStore<A.State, A.Action>
  ) {
    actionable.onError(error, action: action, store: store)
  }

  override func onCancel(_ action: A.Action, store: MutatingStore<A.State, A.Action>) {
    actionable.onCancel(action, store: store)
  }
}

/// Passes actions to an interactor, whose hooks it connects.
private final class InteractorHandler<I: Interactor>: ActionableHandler<I> {
  override func connect(_ scope: Scope<I.State, I.Action>) {
    scope.engine.connect(actionable) { scope.engine.connect($0) }
  }
}

/// Passes actions through one middleware to the next handler.
private final class MiddlewareHandler<M: Middleware>: ActionHandler<M.State, M.Action> {
  private let middleware: M
  private let next: ActionHandler<M.State, M.Action>

  init(_ middleware: M, next: ActionHandler<M.State, M.Action>) {
    self.middleware = middleware
    self.next = next
  }

  override var feature: Any.Type { next.feature }

  override func connect(_ scope: Scope<M.State, M.Action>) { next.connect(scope) }

  override func onAction(
    _ action: M.Action, store: MutatingStore<M.State, M.Action>
  ) async throws {
    try await middleware.onAction(action, store: store) {
      try await self.next.onAction($0, store: store)
    }
  }

  override func onError(
    _ error: any Error, action: M.Action, store: MutatingStore<M.State, M.Action>
  ) {
    next.onError(error, action: action, store: store)
  }

  override func onCancel(_ action: M.Action, store: MutatingStore<M.State, M.Action>) {
    next.onCancel(action, store: store)
  }
}

extension Middleware {
  fileprivate func wrap(_ next: ActionHandler<State, Action>) -> ActionHandler<State, Action> {
    MiddlewareHandler(self, next: next)
  }
}
