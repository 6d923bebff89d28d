/// Stands around the actions of a store: looks at them, times, changes, refuses or swallows them
/// (A11).
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
/// One that checks refuses an action by throwing, and the error goes to `onError`, as if the
/// interactor had thrown it:
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
  /// What can be asked of the store.
  associatedtype Action

  /// Handles an action on its way to the interactor.
  ///
  /// - Parameters:
  ///   - action: the action, as those further out have passed it on.
  ///   - store: the store as this action sees it.
  ///   - next: passes an action on; not calling it swallows the action.
  /// - Throws: to refuse the action, or what `next` threw, which goes to `onError`.
  func onAction(
    _ action: Action, store: MutatingStore<State, Action>,
    next: @MainActor (Action) async throws -> Void
  ) async throws
}
