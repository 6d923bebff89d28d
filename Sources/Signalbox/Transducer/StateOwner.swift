/// Who keeps the state of a transducer's store and may change it, if that is not the store: the
/// parent of a view.
@MainActor package struct StateOwner<State> {
  let read: @MainActor () -> State
  let write: @MainActor (State) -> Void

  /// - Parameters:
  ///   - read: what each event starts from.
  ///   - write: takes what `update` has made of it, before the event's effects are carried out.
  package init(
    read: @escaping @MainActor () -> State, write: @escaping @MainActor (State) -> Void
  ) {
    self.read = read
    self.write = write
  }
}

extension Store {
  /// Makes a store that has the state of somebody else in its hands for as long as an event takes.
  ///
  /// - Parameters:
  ///   - owner: who keeps the state; released with the store.
  ///   - transducer: the type whose `update` decides.
  ///   - env: what its effects need; released with the store.
  package convenience init<T: Transducer>(
    stateOf owner: StateOwner<State>, transducer: T.Type, env: T.Env
  ) where T.State == State, T.Event == Action {
    let handler = TransducerHandler<T>(env: env, owner: owner)
    self.init(state: owner.read(), handler: handler, name: nil, receiver: handler)
    handler.connect(scope)
  }
}
