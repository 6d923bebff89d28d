extension Store {
  /// Makes a store whose events a transducer handles.
  ///
  ///     let store = Store(state: .init(), transducer: Search.self, env: .init(search: search))
  ///     store.dispatch(.queryChanged("cat"))
  ///
  /// An event has ended when `dispatch` returns. It does not count as running, so `cancelAll()`
  /// during a dispatch does not end the dispatch. The work that an event starts counts as running.
  /// Only `update` changes the state (X1).
  ///
  /// - Parameters:
  ///   - state: the initial state.
  ///   - transducer: the type whose `update` handles the events.
  ///   - env: what the effects of the transducer need. It is released with the store.
  ///   - name: the name of the store in the log, in test failures and in the system log. Without a
  ///     name, the log uses the type of the state.
  public convenience init<T: Transducer>(
    state: State, transducer: T.Type, env: T.Env, name: String? = nil
  ) where T.State == State, T.Event == Action {
    let handler = TransducerHandler<T>(env: env)
    self.init(state: state, handler: handler, name: name)
    handler.connect(scope)
  }

  /// Makes a store for a transducer whose effects need no `Env`.
  ///
  /// - Parameters:
  ///   - state: the initial state.
  ///   - transducer: the type whose `update` handles the events.
  ///   - name: the name of the store in the log, in test failures and in the system log. Without a
  ///     name, the log uses the type of the state.
  public convenience init<T: Transducer>(state: State, transducer: T.Type, name: String? = nil)
  where T.State == State, T.Event == Action, T.Env == Void {
    self.init(state: state, transducer: transducer, env: (), name: name)
  }

  /// Returns an input that sends events to the store from any thread.
  ///
  /// The input does not keep the store alive. An input of a handle to a child that an action, a run
  /// or a hook has asked for sends on its behalf, so it ends with it (A6).
  ///
  /// - Parameter transducer: the transducer that the store was made with. Any other type traps.
  nonisolated public func input<T: Transducer>(of transducer: T.Type) -> Input<T.Event, T.Output>
  where T.State == State, T.Event == Action {
    guard let handler = receiver as? TransducerHandler<T> else {
      fatalError(
        """
        input(of: \(T.self).self): the store was not made with \(T.self). Ask for the input of the \
        transducer that it was made with.
        """)
    }
    return Input(receiver: handler, origin: isHandle ? scope as? HandleScope<State, Action> : nil)
  }
}
