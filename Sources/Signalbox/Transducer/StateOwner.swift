/// Gives a store access to state that something else, such as a view, owns and may change.
@MainActor package struct StateOwner<State> {
  let read: @MainActor () -> State
  let write: @MainActor (State) -> Void

  /// - Parameter write: is called before the effects of the event are carried out.
  package init(
    read: @escaping @MainActor () -> State, write: @escaping @MainActor (State) -> Void
  ) {
    self.read = read
    self.write = write
  }
}

extension Store {
  /// Makes a store that reads the state from its owner and writes it back for each event.
  package convenience init<T: Transducer>(
    stateOf owner: StateOwner<State>, transducer: T.Type, env: T.Env
  ) where T.State == State, T.Event == Action {
    let handler = TransducerHandler<T>(env: env, owner: owner)
    self.init(state: owner.read(), handler: handler, name: nil)
    handler.connect(scope)
  }
}
