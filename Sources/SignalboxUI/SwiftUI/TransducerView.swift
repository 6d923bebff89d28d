#if canImport(SwiftUI)
public import Signalbox
public import SwiftUI

/// Shows a state that belongs to the parent, and lets a transducer change it.
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
/// The parent's state is the only one there is: each event changes it, from what it is at that
/// moment. So the parent may change it as well, and neither overwrites the other.
///
/// The content is there in the first frame. Work that effects have started is tied to the identity
/// of the view and not to its appearance: it goes on while the view is out of sight, and ends with
/// the view. After that its input throws `StoreReleased`.
public struct TransducerView<T: Transducer, Content: View>: View {
  private let state: Binding<T.State>
  private let initialEnv: @MainActor () -> T.Env
  private let content: @MainActor (T.State, Input<T.Event, T.Output>) -> Content
  // Not `@State`, which is a macro in later SDKs.
  private let runtime = SwiftUI.State(wrappedValue: TransducerRuntime<T>())

  /// Makes a view.
  ///
  /// - Parameters:
  ///   - transducer: what changes the state.
  ///   - state: the parent's state.
  ///   - initialEnv: what effects need; asked for once, before the first frame. To begin again with
  ///     another one, give the view another identity with `id(_:)`.
  ///   - content: shows the state, and sends events by the input: `dispatch` is there on the next
  ///     line, `post` comes from any thread.
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

  /// The content, as it shows the state of now.
  public var body: some View {
    content(
      state.wrappedValue, runtime.wrappedValue.input(keepingStateIn: state, initialEnv: initialEnv))
  }
}

extension TransducerView where T.Env == Void {
  /// Makes a view of a transducer whose effects need nothing.
  ///
  /// - Parameters:
  ///   - transducer: what changes the state.
  ///   - state: the parent's state.
  ///   - content: shows the state, and sends events by the input: `dispatch` is there on the next
  ///     line, `post` comes from any thread.
  public init(
    of transducer: T.Type = T.self, state: Binding<T.State>,
    @ViewBuilder content:
      @escaping @MainActor (T.State, Input<T.Event, T.Output>) -> Content
  ) {
    self.init(of: transducer, state: state, initialEnv: (), content: content)
  }
}
#endif
