/// Gives a transducer's store access to state that something else owns, such as a parent view.
///
/// The owner may change the state as well.
@MainActor package struct StateOwner<State> {
  let read: @MainActor () -> State
  let write: @MainActor (State) -> Void

  /// Makes an owner from the closures that access its state.
  ///
  /// - Parameters:
  ///   - read: returns the state that `update` receives.
  ///   - write: stores the state that `update` has changed, before the effects of the event are
  ///     carried out.
  package init(
    read: @escaping @MainActor () -> State, write: @escaping @MainActor (State) -> Void
  ) {
    self.read = read
    self.write = write
  }
}

extension Store {
  /// Makes a store that reads the state from its owner and writes it back for each event.
  ///
  /// - Parameters:
  ///   - owner: gives access to the state. It is released with the store.
  ///   - transducer: the type whose `update` handles the events.
  ///   - env: what the effects of the transducer need. It is released with the store.
  package convenience init<T: Transducer>(
    stateOf owner: StateOwner<State>, transducer: T.Type, env: T.Env
  ) where T.State == State, T.Event == Action {
    let handler = TransducerHandler<T>(env: env, owner: owner)
    self.init(state: owner.read(), handler: handler, name: nil)
    handler.connect(scope)
  }
}
