/// Handles the actions of a store and connects its hooks.
///
///     struct Note: Equatable { var draft = "", saved = "" }
///     enum NoteAction: CancellableAction {
///       case save
///       var cancelIdentifier: String? { "save" }
///       var overlap: Overlap { .queue }
///     }
///     enum NoteHook: CaseIterable { case drafted }
///
///     struct Editor: Interactor {
///       var write: @MainActor (String) async throws -> Void
///
///       func onAction(_ action: NoteAction, store: MutatingStore<Note, NoteAction>) async throws {
///         let text = store.draft
///         try await write(text)
///         store.saved = text
///       }
///
///       func subscription(
///         for hook: NoteHook, store: MutatingStore<Note, NoteAction>
///       ) -> Subscription {
///         store.publisher.draft
///           .debounce(for: .milliseconds(300))
///           .assign(toAction: .save, using: store)
///       }
///     }
///
///     let store = Store(state: Note(), interactor: Editor(write: { print($0) }))
///     store.binder.draft.wrappedValue = "dear all"  // prints "dear all" when typing pauses
@MainActor
public protocol Interactor<State, Action>: Actionable, Hookable, FeatureInstance {}

/// Handles the actions of a store.
///
///     struct Basket { var items: [String] = [] }
///
///     struct Shop: Actionable {
///       func onAction(_ item: String, store: MutatingStore<Basket, String>) async {
///         store.items.append(item)
///       }
///     }
///
///     let store = Store(state: Basket(), actionable: Shop())
///     store.dispatch("apples")
@MainActor public protocol Actionable<State, Action>: Feature {
  // `Feature` has no requirements, so the compiler finds its types only through a protocol that has.

  /// The value that the store holds.
  associatedtype State
  /// What callers dispatch to the store.
  associatedtype Action

  /// Carries out an action by plain assignments to the store, before and after each `await`.
  ///
  /// The method starts before `dispatch` returns and runs up to its first suspension (A1). Once the
  /// action is cancelled or superseded, nothing that it writes reaches the store. The method does
  /// not need to check for that (A6).
  ///
  /// - Parameters:
  ///   - action: the action to carry out.
  ///   - store: the store as this action sees it. It does not keep the store alive.
  /// - Throws: any error. If the action is still current, the error goes to `onError`.
  func onAction(_ action: Action, store: MutatingStore<State, Action>) async throws

  /// Declares where in the state the children of the store live (C1).
  ///
  /// It is called once, when the store is made, before its hooks are connected. The default
  /// implementation declares none.
  ///
  /// - Parameter store: the store. It does not keep the store alive, so the closures of children may
  ///   capture it.
  @ChildrenBuilder<State> func children(of store: MutatingStore<State, Action>) -> Children<State>

  /// Handles an error that an action threw while it was current (A8).
  ///
  /// The method may change the state. The default implementation reports the error as unhandled.
  func onError(_ error: any Error, action: Action, store: MutatingStore<State, Action>)

  /// Cleans up after an action that was cancelled by request or with the task that awaited it
  /// (A12).
  ///
  ///     func onCancel(_ action: UploadAction, store: MutatingStore<Upload, UploadAction>) {
  ///       store.progress = nil
  ///     }
  ///
  /// The method runs once, before the cancel returns. What the action itself still writes does not
  /// reach the store, but what this method writes does. For an action that others have joined, the
  /// method runs when the last of them is cancelled. It does not run for an action that has not
  /// started, that has thrown, or that is superseded or ignored, nor when the store is released.
  /// The default implementation does nothing.
  ///
  /// - Parameters:
  ///   - action: the action that was cancelled.
  ///   - store: the store. It can write, dispatch and cancel.
  func onCancel(_ action: Action, store: MutatingStore<State, Action>)

  // What follows is never implemented. See `MisspelledRequirement`.

  /// What the compiler makes of the store of a method that would never be called, for the library alone.
  associatedtype _Misspelled: MisspelledRequirement = Never
  /// Refused: it would never be called. Write `onError(_:action:store:)`.
  func onError(_ error: any Error, for action: Action, store: _Misspelled)
  /// Refused: it would never be called. Write `onError(_:action:store:)`.
  func onError(_ error: any Error, for action: Action, in store: _Misspelled)
  /// Refused: it would never be called. Write `onError(_:action:store:)`.
  func onError(_ error: any Error, action: Action, in store: _Misspelled)
  /// Refused: it would never be called. Write `onError(_:action:store:)`.
  func onError(_ error: any Error, in action: Action, store: _Misspelled)
  /// Refused: it would never be called. Write `onCancel(_:store:)`.
  func onCancel(_ action: Action, in store: _Misspelled)
  /// Refused: it would never be called. Write `onCancel(_:store:)`.
  func onCancel(for action: Action, store: _Misspelled)
  /// Refused: the method of an action takes a `MutatingStore`.
  func onAction(_ action: Action, store: Store<State, Action>) async throws
}

extension Actionable where Action == Never {
  /// There are no actions to carry out, as in a parent that only has children.
  public func onAction(_ action: Never, store: MutatingStore<State, Never>) {}
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

  /// Declares no children.
  public func children(of store: MutatingStore<State, Action>) -> Children<State> {
    Children(isDefault: true)
  }
}

/// Connects a store to event sources and reacts to changes of its state.
///
///     struct Room: Equatable { var celsius = 20.0, isHeated = false }
///     enum RoomHook: CaseIterable { case measured, cold }
///
///     struct Heating: Hookable {
///       let sensor: Signal<Double>
///
///       func subscription(for hook: RoomHook, store: MutatingStore<Room, Never>) -> Subscription {
///         switch hook {
///         case .measured: sensor.assign(to: \.celsius, using: store)
///         case .cold: store.publisher.celsius.map { $0 < 18 }.assign(to: \.isHeated, using: store)
///         }
///       }
///     }
///
///     let sensor = Emitter<Double>()
///     let room = Store(state: Room(), hookable: Heating(sensor: sensor.signal))
///     sensor.send(17)  // room.isHeated is true now.
@MainActor public protocol Hookable<State, Action> {
  /// The value that the store holds.
  associatedtype State
  /// What the hooks dispatch to the store.
  associatedtype Action
  /// The names of the hooks, usually an enum that is `CaseIterable`.
  ///
  /// A type that declares neither `Hook` nor `subscription(for:store:)` has no hooks. `Hook` has no
  /// constraint, so that an enum whose conformances are isolated to the main actor can be one.
  associatedtype Hook = NoHook

  /// The hooks, which are connected once, in this order, when the store is made (H1).
  ///
  /// The default is all cases of `Hook`.
  static var hooks: [Hook] { get }

  /// Connects a hook to its source.
  ///
  /// - Parameters:
  ///   - hook: the hook to connect.
  ///   - store: the store as this hook sees it. It does not keep the store alive, so sinks may
  ///     capture it.
  /// - Returns: the subscription that ends the hook. Return `.empty` for a hook that does not apply
  ///   and `.all(…)` for several subscriptions.
  func subscription(for hook: Hook, store: MutatingStore<State, Action>) -> Subscription

  // What follows is never implemented. See `MisspelledRequirement`.

  /// What the compiler makes of the store of a method that would never be called, for the library alone.
  associatedtype _MisspelledStore: MisspelledRequirement = Never
  /// What the compiler makes of the hook of a method that would never be called, for the library alone.
  associatedtype _MisspelledHook = Never
  /// Refused: it would never be called. Write `subscription(for:store:)`.
  func subscription(of hook: _MisspelledHook, store: _MisspelledStore) -> Subscription
  /// Refused: it would never be called. Write `subscription(for:store:)`.
  func subscription(hook: _MisspelledHook, store: _MisspelledStore) -> Subscription
  /// Refused: it would never be called. Write `subscription(for:store:)`.
  func subscription(_ hook: _MisspelledHook, store: _MisspelledStore) -> Subscription
  /// Refused: it would never be called. Write `subscription(for:store:)`.
  func subscription(for hook: _MisspelledHook, in store: _MisspelledStore) -> Subscription
}

/// The hooks of an interactor that has none.
public struct NoHook: CaseIterable, Hashable {
  /// There are none.
  public static var allCases: [NoHook] { [] }

  private init() {}
}

extension Hookable where Hook: CaseIterable {
  /// All cases of `Hook`.
  public static var hooks: [Hook] { Array(Hook.allCases) }
}

extension Hookable where Hook == NoHook {
  /// There are no hooks to connect.
  public func subscription(for hook: NoHook, store: MutatingStore<State, Action>) -> Subscription {
    .empty
  }
}
