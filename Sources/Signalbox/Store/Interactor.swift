/// Handles the actions of a store.
///
///     struct Counter: Actionable {
///       func onAction(_ action: CounterAction, store: MutatingStore<Int, CounterAction>) async {
///         store.state += 1
///       }
///     }
@MainActor public protocol Actionable<State, Action> {
  /// The value that the store holds.
  associatedtype State
  /// What can be asked of the store.
  associatedtype Action

  /// Carries out an action by plain assignments to the store, across suspensions.
  ///
  /// It starts before `dispatch` returns and runs up to its first suspension there (A1). Once the
  /// action is cancelled or superseded nothing that it writes reaches the store, so that no check
  /// for it is needed (A6).
  ///
  /// - Parameters:
  ///   - action: what to do.
  ///   - store: the store as this action sees it. It does not keep the store alive.
  /// - Throws: what `onError` is to handle.
  func onAction(_ action: Action, store: MutatingStore<State, Action>) async throws

  /// Handles an error that an action threw while it was current; may change the state (A8).
  func onError(_ error: any Error, action: Action, store: MutatingStore<State, Action>)

  /// Tidies up after an action that was cancelled: by request, or with the task that awaited it (A12).
  ///
  ///     func onCancel(_ action: UploadAction, store: MutatingStore<Upload, UploadAction>) {
  ///       store.progress = nil
  ///     }
  ///
  /// It runs once, before the cancel returns. What the action itself still writes no longer reaches
  /// the store; what this method writes does. An action that others have joined is cancelled when
  /// the last of them is. It is not called for an action that has not begun, that is superseded or
  /// ignored, or whose store goes away.
  ///
  /// - Parameters:
  ///   - action: the one that was cancelled.
  ///   - store: can write, dispatch and cancel.
  func onCancel(_ action: Action, store: MutatingStore<State, Action>)
}

extension Actionable {
  /// Reports the error as unhandled.
  public func onError(
    _ error: any Error, action: Action, store: MutatingStore<State, Action>
  ) {
    store.scope.engine.reportUnhandled(error, of: action, in: store.scope)
  }

  /// Does nothing.
  public func onCancel(_ action: Action, store: MutatingStore<State, Action>) {}
}

/// Connects a store to event sources outside and watches its state from within.
@MainActor public protocol Hookable<State, Action> {
  /// The value that the store holds.
  associatedtype State
  /// What can be asked of the store.
  associatedtype Action
  /// The hooks, by name. Each is connected once, in this order, when the store is made (H1).
  associatedtype Hook: CaseIterable & Hashable

  /// Subscribes to what a hook is about.
  ///
  /// - Parameters:
  ///   - hook: which one to connect.
  ///   - store: the store as this hook sees it. It does not keep the store alive, so the sinks may
  ///     capture it.
  /// - Returns: what ends the hook; `.empty` for one that does not apply, `.all(…)` for several.
  func subscription(for hook: Hook, store: MutatingStore<State, Action>) -> Subscription
}

/// Both: handles the actions of a store and connects its hooks.
public protocol Interactor<State, Action>: Actionable, Hookable {}
