extension Store {
  /// Makes a store whose events a transducer deals with, and whose effects are carried out on it.
  ///
  ///     let store = Store(state: .init(), transducer: Search.self, env: .init(search: search))
  ///     store.dispatch(.queryChanged("cat"))
  ///
  /// An event has ended when it has been dispatched, and is in no book: cancelling all in the middle
  /// does not end the dispatch. The work that it started is in the books, as any other. The state is
  /// for `update` alone to change (X1).
  ///
  /// - Parameters:
  ///   - state: the first state.
  ///   - transducer: the type whose `update` decides.
  ///   - env: what its effects need; released with the store.
  ///   - name: what the store is called by the log, in failures and on standard error; without one,
  ///     the log calls it by the type of its state.
  public convenience init<T: Transducer>(
    state: State, transducer: T.Type, env: T.Env, name: String? = nil
  ) where T.State == State, T.Event == Action {
    let handler = TransducerHandler<T>(env: env)
    self.init(state: state, handler: handler, name: name, receiver: handler)
    handler.connect(scope)
  }

  /// Makes a store for a transducer whose effects need nothing of the outside.
  ///
  /// - Parameters:
  ///   - state: the first state.
  ///   - transducer: the type whose `update` decides.
  ///   - name: what the store is called by the log, in failures and on standard error; without one,
  ///     the log calls it by the type of its state.
  public convenience init<T: Transducer>(state: State, transducer: T.Type, name: String? = nil)
  where T.State == State, T.Event == Action, T.Env == Void {
    self.init(state: state, transducer: transducer, env: (), name: name)
  }

  /// The way in from any thread.
  ///
  /// It does not keep the store alive.
  ///
  /// - Parameter transducer: the one that the store was made with; any other traps.
  nonisolated public func input<T: Transducer>(of transducer: T.Type) -> Input<T.Event, T.Output>
  where T.State == State, T.Event == Action {
    guard let handler = receiver as? TransducerHandler<T> else {
      fatalError(
        """
        input(of: \(T.self).self): the store was not made with \(T.self). Ask for the input of the \
        transducer that it was made with.
        """)
    }
    return Input(receiver: handler, origin: nil)
  }
}
