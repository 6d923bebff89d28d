#if canImport(SwiftUI)
public import Signalbox
public import SwiftUI

/// A store that a view makes once and keeps as long as the view has its identity.
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
///         Text(store.title)  // redrawn only when the title changes
///         TextField("Message", text: $store.draft)
///         Button("Send") { store.dispatch(.send) }
///       }
///     }
///
/// The store is made when it is first read, however often the view is made again. Later arguments
/// of the view's initializer do not change it. It is released when the view's identity ends, which
/// ends its work and its hooks (A9). Reading a property in a body tracks that property alone (M5).
@MainActor @propertyWrapper public struct StateStore<State, Action>: DynamicProperty {
  // `@State` would not do, because it is a macro in later SDKs.
  private let kept: SwiftUI.State<LazyStore<State, Action>>

  /// Declares a store without making it yet.
  ///
  /// - Parameter store: makes the store. It is called at most once while the view has its identity,
  ///   and it is kept until it is called.
  public init(wrappedValue store: @autoclosure @escaping @MainActor () -> Store<State, Action>) {
    kept = SwiftUI.State(wrappedValue: LazyStore(store))
  }

  /// The store.
  ///
  /// Before the view is shown, as in its initializer, this is not the store that the view will
  /// have.
  public var wrappedValue: Store<State, Action> { kept.wrappedValue.store }

  /// Bindings to the properties of the store's state, such as `$store.draft`.
  public var projectedValue: StoreBindings<State, Action> { StoreBindings(wrappedValue.binder) }
}

/// Makes a store when it is first read.
@MainActor private final class LazyStore<State, Action> {
  private var make: (@MainActor () -> Store<State, Action>)?
  private(set) lazy var store: Store<State, Action> = {
    guard let make = make.take() else {
      fatalError(
        "A @StateStore was read while it was making its store. Don't read it in its initial value.")
    }
    return make()
  }()

  init(_ make: @escaping @MainActor () -> Store<State, Action>) { self.make = make }
}
#endif
