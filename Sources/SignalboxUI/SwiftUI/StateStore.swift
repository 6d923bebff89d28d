#if canImport(SwiftUI)
public import Signalbox
public import SwiftUI

/// A store that a view makes once and keeps for as long as it has its identity.
///
///     struct ChatView: View {
///       @StateStore private var store: Store<Chat, ChatAction>
///
///       init(service: ChatService) {
///         _store = StateStore(
///           wrappedValue: Store(state: Chat(), interactor: ChatInteractor(service: service)))
///       }
///
///       var body: some View {
///         Text(store.title)  // drawn anew when the title changes, and for nothing else
///         TextField("Message", text: $store.draft)
///         Button("Send") { store.dispatch(.send) }
///       }
///     }
///
/// The store is made when it is first asked for, however often the view is made anew; later values
/// of what it was made with change nothing. It is released with the view's identity, which ends its
/// work and its hooks (A9). Reading a property in a body tracks that property alone (M5).
@MainActor @propertyWrapper public struct StateStore<State, Action>: DynamicProperty {
  // Not `@State`, which is a macro in later SDKs.
  private let kept: SwiftUI.State<LazyStore<State, Action>>

  /// Declares a store, without making it yet.
  ///
  /// - Parameter store: makes the store; is kept until it has, and not called again while the view
  ///   has its identity.
  public init(wrappedValue store: @autoclosure @escaping @MainActor () -> Store<State, Action>) {
    kept = SwiftUI.State(wrappedValue: LazyStore(store))
  }

  /// The store.
  ///
  /// Before the view is shown, as in its initialiser, it is one that the view will not have.
  public var wrappedValue: Store<State, Action> { kept.wrappedValue.store }

  /// Bindings to what is in the store, such as `$store.draft`.
  public var projectedValue: StoreBindings<State, Action> { StoreBindings(wrappedValue.binder) }
}

/// Makes a store when it is first asked for.
@MainActor private final class LazyStore<State, Action> {
  private var make: (@MainActor () -> Store<State, Action>)?
  private(set) lazy var store: Store<State, Action> = {
    guard let make = make.take() else { fatalError("a store was asked for while it is being made") }
    return make()
  }()

  init(_ make: @escaping @MainActor () -> Store<State, Action>) { self.make = make }
}
#endif
