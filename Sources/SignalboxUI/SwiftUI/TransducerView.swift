#if canImport(SwiftUI)
public import Signalbox
public import SwiftUI

/// A view of a state that belongs to its parent and is changed by a transducer.
///
///     struct SearchView: View {
///       @State private var search = Search.State()
///
///       var body: some View {
///         TransducerView(of: Search.self, state: $search, initialEnv: .live) { state, input in
///           TextField(
///             "Search",
///             text: Binding(
///               get: { search.query }, set: { input.dispatch(.queryChanged($0)) }))
///           Text(state.results.joined(separator: ", "))
///         }
///       }
///     }
///
/// The view has no copy of the state. Each event reads and changes the parent's current state. The
/// parent may change the state as well, and neither overwrites the changes of the other.
///
/// The content appears in the first frame. The work of effects is tied to the identity of the view
/// and not to its appearance. It continues while the view is not visible, and it ends with the
/// view's identity. After that, the input throws `StoreReleased`.
public struct TransducerView<T: Transducer, Content: View>: View {
  private let state: Binding<T.State>
  private let initialEnv: @MainActor () -> T.Env
  private let content: @MainActor (T.State, Input<T.Event, T.Output>) -> Content
  // `@State` would not do, because it is a macro in later SDKs.
  private let runtime = SwiftUI.State(wrappedValue: TransducerRuntime<T>())

  /// Makes a view.
  ///
  /// - Parameters:
  ///   - transducer: the transducer that changes the state.
  ///   - state: the parent's state.
  ///   - initialEnv: the dependencies of the effects. It is evaluated once, before the first frame.
  ///     To start again with another one, give the view another identity with `id(_:)`.
  ///   - content: shows the state and sends events through the input. `dispatch` takes effect
  ///     before it returns, and `post` may be called on any thread.
  public init(
    of transducer: T.Type = T.self, state: Binding<T.State>,
    initialEnv: @autoclosure @escaping @MainActor () -> T.Env,
    @ViewBuilder content:
      @escaping @MainActor (T.State, Input<T.Event, T.Output>) -> Content
  ) {
    self.state = state
    self.initialEnv = initialEnv
    self.content = content
  }

  /// The content for the current state.
  public var body: some View {
    content(
      state.wrappedValue, runtime.wrappedValue.input(keepingStateIn: state, initialEnv: initialEnv))
  }
}

extension TransducerView where T.Env == Void {
  /// Makes a view for a transducer whose effects have no dependencies.
  ///
  /// - Parameters:
  ///   - transducer: the transducer that changes the state.
  ///   - state: the parent's state.
  ///   - content: shows the state and sends events through the input. `dispatch` takes effect
  ///     before it returns, and `post` may be called on any thread.
  public init(
    of transducer: T.Type = T.self, state: Binding<T.State>,
    @ViewBuilder content:
      @escaping @MainActor (T.State, Input<T.Event, T.Output>) -> Content
  ) {
    self.init(of: transducer, state: state, initialEnv: (), content: content)
  }
}
#endif
