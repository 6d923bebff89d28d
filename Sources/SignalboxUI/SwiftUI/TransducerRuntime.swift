#if canImport(SwiftUI)
import Signalbox
import SwiftUI

/// What a `TransducerView` keeps for as long as it has its identity: a store whose state is that of
/// the parent.
@MainActor final class TransducerRuntime<T: Transducer> {
  private var parent: Parent<T.State>?
  private var store: Store<Lent<T>.State, T.Event>?

  nonisolated init() {}

  /// The way into the store, which is made when it is asked for first.
  func input(
    keepingStateIn state: Binding<T.State>, initialEnv: () -> T.Env
  ) -> Input<T.Event, T.Output> {
    let parent = parent ?? Parent(state)
    self.parent = parent
    // The place where the parent has it may change.
    parent.state = state
    let store =
      store
      ?? Store(
        state: Lent<T>.State(value: state.wrappedValue, parent: parent), transducer: Lent<T>.self,
        env: initialEnv())
    self.store = store
    return store.input(of: Lent<T>.self)
  }
}

/// Who has the state.
private final class Parent<State> {
  var state: Binding<State>
  init(_ state: Binding<State>) { self.state = state }
}

/// A transducer at work on a state that belongs to somebody else: it fetches it before each event,
/// and gives it back after.
private enum Lent<T: Transducer>: Transducer {
  typealias Event = T.Event
  typealias Env = T.Env
  typealias Output = T.Output

  struct State: CustomReflectable {
    var value: T.State
    let parent: Parent<T.State>

    /// As the log shows it.
    var customMirror: Mirror { Mirror(reflecting: value) }
  }

  static func update(_ state: inout State, event: T.Event) -> Effect? {
    state.value = state.parent.state.wrappedValue
    let effect = T.update(&state.value, event: event)
    state.parent.state.wrappedValue = state.value
    return effect
  }

  static func output(state: State, event: T.Event) -> T.Output {
    T.output(state: state.value, event: event)
  }
}
#endif
