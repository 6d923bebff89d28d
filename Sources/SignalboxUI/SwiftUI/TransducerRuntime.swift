#if canImport(SwiftUI)
import Signalbox
import SwiftUI

/// What a `TransducerView` keeps for as long as it has its identity: a store that works on the
/// state of the parent.
@MainActor final class TransducerRuntime<T: Transducer> {
  private var parent: Parent<T.State>?
  private var store: Store<T.State, T.Event>?

  nonisolated init() {}

  /// The way into the store, which is made when it is asked for first.
  func input(
    keepingStateIn state: Binding<T.State>, initialEnv: () -> T.Env
  ) -> Input<T.Event, T.Output> {
    let parent = parent ?? Parent(state)
    self.parent = parent
    // The same view may be handed another place for its state.
    parent.state = state
    let store =
      store ?? Store(stateOf: parent.owner, transducer: T.self, env: initialEnv())
    self.store = store
    return store.input(of: T.self)
  }
}

/// Where the parent has its state at the moment.
@MainActor private final class Parent<State> {
  var state: Binding<State>

  init(_ state: Binding<State>) { self.state = state }

  var owner: StateOwner<State> {
    StateOwner(read: { self.state.wrappedValue }, write: { self.state.wrappedValue = $0 })
  }
}
#endif
