/// Wraps the actions of a store to inspect, time, change, refuse or swallow them (A11).
///
///     struct Signpost: Middleware {
///       func onAction(
///         _ action: ChatAction, store: MutatingStore<ChatState, ChatAction>,
///         next: @MainActor (ChatAction) async throws -> Void
///       ) async throws {
///         print("→", action)
///         try await next(action)
///       }
///     }
///
/// Middleware refuses an action by throwing. The error goes to `onError`, as if the interactor had
/// thrown it:
///
///     struct Validation: Middleware {
///       func onAction(
///         _ action: SignUp, store: MutatingStore<Form, SignUp>,
///         next: @MainActor (SignUp) async throws -> Void
///       ) async throws {
///         if action == .submit, !store.email.contains("@") { throw Refused.email }
///         try await next(action)
///       }
///     }
@MainActor public protocol Middleware<State, Action> {
  /// The value that the store holds.
  associatedtype State
  /// What callers dispatch to the store.
  associatedtype Action

  /// Handles an action on its way to the interactor.
  ///
  /// - Parameters:
  ///   - action: the action that the next outer middleware passed on.
  ///   - store: the store as this action sees it. It does not keep the store alive.
  ///   - next: passes an action on. A method that does not call it swallows the action.
  /// - Throws: an error that refuses the action, or the error that `next` threw. Either goes to
  ///   `onError`.
  func onAction(
    _ action: Action, store: MutatingStore<State, Action>,
    next: @MainActor (Action) async throws -> Void
  ) async throws
}
