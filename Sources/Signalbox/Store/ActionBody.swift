/// An action being carried out.
final class ActionBody<State, Action>: WorkBody {
  let action: Action
  private let scope: Scope<State, Action>
  private let handler: ActionHandler<State, Action>
  /// Only an event tells how long it took.
  private var start: ContinuousClock.Instant?

  required init(
    _ action: Action, by handler: ActionHandler<State, Action>, in scope: Scope<State, Action>
  ) {
    self.action = action
    self.handler = handler
    self.scope = scope
  }

  /// Tells who listens that the action has been dispatched.
  func begin(cause: Int?) {
    scope.cause = scope.engine.log.emit(.dispatched(action), cause: cause)
    start = .now
  }

  var store: MutatingStore<State, Action> { MutatingStore(scope) }

  override func start(_ work: Work, in book: WorkBook) -> Task<Void, Never> {
    handler.start(self, work, in: book)
  }

  override func wasCancelled() {
    let cause = scope.cause
    scope.detach()
    if scope.engine.log.isWatched { scope.engine.log.emit(.cancelled(action), cause: cause) }
  }

  override func leaderHasEnded(_ outcome: Result<Void, any Error>) {
    switch outcome {
    case .success: _ = hasFinished()
    case .failure(let error):
      scope.engine.log.emit(.failed(action, error), cause: scope.cause)
      scope.work = nil
    }
  }

  func hasFinished() -> Result<Void, any Error> {
    guard scope.isCurrent else { return .success(()) }
    if let start {
      scope.engine.log.emit(.finished(action, start.duration(to: .now)), cause: scope.cause)
    }
    scope.work = nil
    return .success(())
  }

  func hasThrown(_ error: any Error) -> Result<Void, any Error> {
    guard scope.isCurrent else { return .failure(error) }
    if let failed = scope.engine.log.emit(.failed(action, error), cause: scope.cause) {
      scope.cause = failed
    }
    // Who heard of it may have cancelled the action.
    guard scope.isCurrent else { return .failure(error) }
    handle(error, in: scope)
    scope.work = nil
    return .failure(error)
  }

  /// Hands an error to the interactor: the action's own, or that of a run made by it.
  func handle(_ error: any Error, in scope: Scope<State, Action>) {
    handler.onError(error, action: action, store: MutatingStore(scope))
  }
}

/// Work by hand: what `MutatingStore.run` starts.
final class RunBody<State, Action>: WorkBody {
  typealias Operation = @MainActor (MutatingStore<State, Action>) async throws -> Void

  private let operation: Operation
  private let priority: TaskPriority?
  private let scope: Scope<State, Action>
  /// The action in whose course the run was made; its errors go there.
  let origin: ActionBody<State, Action>?

  init(
    _ operation: @escaping Operation, priority: TaskPriority?,
    origin: ActionBody<State, Action>?, in scope: Scope<State, Action>
  ) {
    self.operation = operation
    self.priority = priority
    self.origin = origin
    self.scope = scope
  }

  override func start(_ work: Work, in book: WorkBook) -> Task<Void, Never> {
    Task.immediate(priority: priority) { @MainActor in
      do {
        try await self.operation(MutatingStore(self.scope))
        self.scope.work = nil
        work.hasReturned(.success(()), in: book)
      } catch {
        self.hasThrown(error)
        work.hasReturned(.failure(error), in: book)
      }
    }
  }

  override func wasCancelled() { scope.detach() }

  private func hasThrown(_ error: any Error) {
    guard scope.isCurrent else { return }
    if let origin {
      origin.handle(error, in: scope)
    } else {
      scope.engine.reportUnhandled(error, of: nil, cause: scope.cause)
    }
    scope.work = nil
  }
}
