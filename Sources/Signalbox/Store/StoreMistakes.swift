/// Declarations that exist for their messages. None of them can be used.
///
/// The compiler looks at an unavailable overload only if no other one fits. Each is here because the
/// error without it names another line or nothing that the reader has written.
/// Documentation/CompilerErrors.md lists them.

// MARK: - Requirements with a default

/// Refuses a method that looks like a requirement and would never be called.
///
/// A method that a feature declares beside the requirements is no mistake for the compiler, and a
/// default takes the place of the one that was meant. So the wrong signatures are requirements, too,
/// with this protocol in place of the store. For a feature that has such a method, the compiler
/// finds that `MutatingStore` must conform, which is unavailable.
public protocol MisspelledRequirement {}

extension Never: MisspelledRequirement {}

@available(
  *, unavailable,
  message: """
    A method of this feature is no requirement, so the store would never call it. The requirements are \
    onError(_:action:store:), onCancel(_:store:) and subscription(for:store:), with these labels. A helper \
    needs another name.
    """
)
extension MutatingStore: MisspelledRequirement {}

extension Actionable {
  /// Takes the place of a method that no interactor has.
  public func onError(_ error: any Error, for action: Action, store: _Misspelled) {}
  /// Takes the place of a method that no interactor has.
  public func onError(_ error: any Error, for action: Action, in store: _Misspelled) {}
  /// Takes the place of a method that no interactor has.
  public func onError(_ error: any Error, action: Action, in store: _Misspelled) {}
  /// Takes the place of a method that no interactor has.
  public func onError(_ error: any Error, in action: Action, store: _Misspelled) {}
  /// Takes the place of a method that no interactor has.
  public func onCancel(_ action: Action, in store: _Misspelled) {}
  /// Takes the place of a method that no interactor has.
  public func onCancel(for action: Action, store: _Misspelled) {}
  /// Traps, because an action is carried out by the store.
  public func onAction(_ action: Action, store: Store<State, Action>) async throws {
    fatalError("onAction takes a MutatingStore. To carry out an action, use store.dispatch.")
  }
}

extension Hookable {
  /// Takes the place of a method that no feature has.
  public func subscription(of hook: _MisspelledHook, store: _MisspelledStore) -> Subscription {
    .empty
  }
  /// Takes the place of a method that no feature has.
  public func subscription(hook: _MisspelledHook, store: _MisspelledStore) -> Subscription {
    .empty
  }
  /// Takes the place of a method that no feature has.
  public func subscription(_ hook: _MisspelledHook, store: _MisspelledStore) -> Subscription {
    .empty
  }
  /// Takes the place of a method that no feature has.
  public func subscription(for hook: _MisspelledHook, in store: _MisspelledStore) -> Subscription {
    .empty
  }
}

// MARK: - Children

extension Child {
  /// Refuses an array: each of its elements is a child.
  @available(
    *, unavailable,
    message: "The property is an array. Declare its elements with Each(\\.rows) { id in … }."
  )
  public init<F: FeatureInstance>(
    _ keyPath: WritableKeyPath<State, [F.State]>, interactor: @escaping @MainActor () -> F
  ) {
    fatalError("It cannot be called.")
  }

  /// Refuses a property that is not of the type of the feature's state.
  @available(
    *, unavailable,
    message: """
      The property does not have the type of the feature's State, nor is it an optional of it. A case \
      of an enum needs Child(case: \\.route, Route.a), and a path Each(\\.path) { Case(Screen.a) { … } }.
      """
  )
  public init<Value, F: FeatureInstance>(
    _ keyPath: WritableKeyPath<State, Value>, interactor: @escaping @MainActor () -> F
  ) {
    fatalError("It cannot be called.")
  }
}

// MARK: - Stores

extension StatePublisher {
  /// Refuses to compare a signal with a value, such as a property of the state that is named `events`.
  @available(
    *, unavailable,
    message: """
      A signal is not its value. Read the value from the store, as in store.unread. If a member of the \
      store has the name, such as events, write store.state.events.
      """
  )
  nonisolated public static func == <Other>(signal: Self, other: Other) -> Bool { false }
}

extension StateBinding {
  /// Refuses to compare a signal with a value, such as a property of the state that is named `events`.
  @available(
    *, unavailable,
    message: """
      A signal is not its value. Read the value from the store, as in store.unread. If a member of the \
      store has the name, such as events, write store.state.events.
      """
  )
  nonisolated public static func == <Other>(signal: Self, other: Other) -> Bool { false }
}

extension Store {
  /// Refuses a write: only actions, hooks, runs and the binder write.
  ///
  /// A subscript of its own, because a setter of the other one would let a mutating getter of a property
  /// compile. Both attributes are needed: without the second one, some messages have no line.
  @available(
    *, unavailable,
    message: """
      A Store is read-only. Write in an action, a hook or a run, through their MutatingStore, or write \
      through store.binder.
      """
  )
  public subscript<T>(dynamicMember keyPath: WritableKeyPath<State, T>) -> T {
    get { fatalError("It cannot be called.") }
    @available(*, unavailable, message: "A Store is read-only.")
    set { fatalError("It cannot be called.") }
  }

  /// Refuses a store that has actions and nothing that handles them.
  @available(
    *, unavailable,
    message: """
      A store with actions needs an interactor or a transducer. For the preview of a view, write \
      Store.preview(state).
      """
  )
  public convenience init(state: State, name: String? = nil) {
    fatalError("It cannot be called.")
  }
}
