import Foundation

/// The interactor of a store, with its middleware around it.
@MainActor final class ActionHandler<State, Action> {
  typealias Operation =
    @MainActor (Action, MutatingStore<State, Action>) async throws -> Void

  private let onAction: Operation
  let onError: @MainActor (any Error, Action, MutatingStore<State, Action>) -> Void

  init<A: Actionable<State, Action>>(
    _ actionable: A, middleware: [any Middleware<State, Action>]
  ) {
    var onAction: Operation = { try await actionable.onAction($0, store: $1) }
    for middleware in middleware.reversed() { onAction = Self.wrap(onAction, in: middleware) }
    self.onAction = onAction
    onError = { actionable.onError($0, action: $1, store: $2) }
  }

  private static func wrap<M: Middleware<State, Action>>(
    _ next: @escaping Operation, in middleware: M
  ) -> Operation {
    { action, store in
      try await middleware.onAction(action, store: store) { try await next($0, store) }
    }
  }

  /// Carries out an action up to its end, and hands its error, if it is current, to `onError`.
  func perform(
    _ action: Action, _ scope: Scope<State, Action>, since start: ContinuousClock.Instant?
  ) async throws {
    let store = MutatingStore(scope)
    let log = scope.engine.log
    do {
      try await onAction(action, store)
      guard scope.isCurrent else { return }
      if let start { log.emit(.finished(action, .now - start), cause: scope.cause) }
    } catch {
      guard scope.isCurrent else { throw error }
      scope.cause = log.emit(.failed(action, error), cause: scope.cause) ?? scope.cause
      onError(error, action, store)
      scope.workHasEnded()
      throw error
    }
    scope.workHasEnded()
  }
}

extension ContinuousClock.Instant {
  fileprivate static func - (l: Self, r: Self) -> Duration { r.duration(to: l) }
}

/// Where a sentence goes that nobody else listens for.
enum StandardError {
  static func print(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
