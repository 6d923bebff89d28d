#if canImport(SwiftUI)
import Signalbox
import SwiftUI

/// The store of a `TransducerView`, on the parent's state, as long as the view has its identity.
@MainActor final class TransducerRuntime<T: Transducer> {
  private var parent: Parent<T.State>?
  private var store: Store<T.State, T.Event>?

  nonisolated init() {}

  func input(
    keepingStateIn state: Binding<T.State>, initialEnv: () -> T.Env
  ) -> Input<T.Event, T.Output> {
    let parent = parent ?? Parent(state)
    self.parent = parent
    // The parent may pass another binding to the same view later.
    parent.state = state
    let store =
      store ?? Store(stateOf: parent.owner, transducer: T.self, env: initialEnv())
    self.store = store
    return store.input(of: T.self)
  }
}

/// The parent's current binding to its state.
@MainActor private final class Parent<State> {
  var state: Binding<State>

  init(_ state: Binding<State>) { self.state = state }

  var owner: StateOwner<State> {
    StateOwner(read: { self.state.wrappedValue }, write: { self.state.wrappedValue = $0 })
  }
}
#endif
