extension Child {
  /// Declares a child that lives as long as its parent, whose events a transducer handles (C10).
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child. Only the `update` of the transducer should change it (X1).
  ///   - transducer: the type whose `update` handles the events.
  ///   - env: what the effects of the transducer need. It is released with the store.
  public init<T: Transducer>(
    _ keyPath: WritableKeyPath<State, T.State>, transducer: T.Type, env: T.Env
  ) {
    declaration = ChildDeclaration {
      FixedSite(keyPath, .transducer(T.self, env: env), T.self, in: $0)
    }
  }

  /// Declares a child that lives while an optional property has a value.
  ///
  /// If the state is `Identifiable`, a value with another `id` is another child (C14).
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - transducer: the type whose `update` handles the events.
  ///   - env: what the effects of the transducer need. It is released with the store.
  public init<T: Transducer>(
    _ keyPath: WritableKeyPath<State, T.State?>, transducer: T.Type, env: T.Env
  ) {
    declaration = ChildDeclaration {
      MovingSite(
        OptionalCollection(keyPath, of: $0.storage), { _ in .transducer(T.self, env: env) }, T.self,
        in: $0, hasHooks: false, mayHaveChildren: false)
    }
  }

  /// Declares a child that lives while an enum has a case (C12).
  ///
  /// - Parameters:
  ///   - keyPath: a stored property with the enum, or an optional of it.
  ///   - enumCase: the case, whose associated value is the state of the child.
  ///   - transducer: the type whose `update` handles the events.
  ///   - env: what the effects of the transducer need. It is released with the store.
  public init<Enum, T: Transducer>(
    case keyPath: WritableKeyPath<State, Enum>, _ enumCase: @escaping (T.State) -> Enum,
    transducer: T.Type, env: T.Env
  ) {
    declaration = ChildDeclaration {
      MovingSite(
        CaseCollection(keyPath, enumCase, of: $0.storage), { _ in .transducer(T.self, env: env) },
        T.self, in: $0, hasHooks: false, mayHaveChildren: false)
    }
  }

  /// Declares a child at an optional property, with an identity (C14).
  ///
  /// - Parameters:
  ///   - keyPath: the state of the child.
  ///   - id: what tells one child from the next, in the state of the child.
  ///   - transducer: the type whose `update` handles the events.
  ///   - env: what the effects of the transducer need. It is released with the store.
  public init<T: Transducer, ID: Hashable>(
    _ keyPath: WritableKeyPath<State, T.State?>, id: KeyPath<T.State, ID>, transducer: T.Type,
    env: T.Env
  ) {
    declaration = ChildDeclaration {
      MovingSite(
        OptionalCollection(keyPath, identity: ChildIdentity(id), of: $0.storage),
        { _ in .transducer(T.self, env: env) }, T.self, in: $0, hasHooks: false,
        mayHaveChildren: false)
    }
  }

  /// Declares a child that lives as long as its parent, for a transducer that needs no `Env`.
  public init<T: Transducer>(_ keyPath: WritableKeyPath<State, T.State>, transducer: T.Type)
  where T.Env == Void {
    self.init(keyPath, transducer: transducer, env: ())
  }

  /// Declares a child that lives while an optional property has a value, for a transducer that needs
  /// no `Env`.
  public init<T: Transducer>(_ keyPath: WritableKeyPath<State, T.State?>, transducer: T.Type)
  where T.Env == Void {
    self.init(keyPath, transducer: transducer, env: ())
  }

  /// Declares a child that lives while an enum has a case, for a transducer that needs no `Env`.
  public init<Enum, T: Transducer>(
    case keyPath: WritableKeyPath<State, Enum>, _ enumCase: @escaping (T.State) -> Enum,
    transducer: T.Type
  ) where T.Env == Void {
    self.init(case: keyPath, enumCase, transducer: transducer, env: ())
  }

  /// Declares a child at an optional property, with an identity, for a transducer that needs no `Env`.
  public init<T: Transducer, ID: Hashable>(
    _ keyPath: WritableKeyPath<State, T.State?>, id: KeyPath<T.State, ID>, transducer: T.Type
  ) where T.Env == Void {
    self.init(keyPath, id: id, transducer: transducer, env: ())
  }
}

extension Each {
  /// Declares the elements of an array as children, whose events a transducer handles (C10).
  ///
  /// - Parameters:
  ///   - keyPath: the array. If two elements have one id, that is reported, and the first is the
  ///     child (C8).
  ///   - transducer: the type whose `update` handles the events.
  ///   - env: what the effects of the transducer need. It is released with the store.
  public init<T: Transducer>(
    _ keyPath: WritableKeyPath<State, [T.State]>, transducer: T.Type, env: T.Env
  ) where T.State: Identifiable {
    declaration = ChildDeclaration {
      MovingSite(
        ArrayCollection(keyPath, of: $0.storage), { _ in .transducer(T.self, env: env) }, T.self,
        in: $0, hasHooks: false, mayHaveChildren: false)
    }
  }

  /// Declares the values of a dictionary as children, whose events a transducer handles (C10).
  ///
  /// - Parameters:
  ///   - keyPath: the dictionary. Its keys are the ids of the children.
  ///   - transducer: the type whose `update` handles the events.
  ///   - env: what the effects of the transducer need. It is released with the store.
  public init<ID: Hashable, T: Transducer>(
    _ keyPath: WritableKeyPath<State, [ID: T.State]>, transducer: T.Type, env: T.Env
  ) {
    declaration = ChildDeclaration {
      MovingSite(
        DictionaryCollection(keyPath, of: $0.storage), { _ in .transducer(T.self, env: env) },
        T.self, in: $0, hasHooks: false, mayHaveChildren: false)
    }
  }

  /// Declares the elements of an array as children, for a transducer that needs no `Env`.
  public init<T: Transducer>(_ keyPath: WritableKeyPath<State, [T.State]>, transducer: T.Type)
  where T.State: Identifiable, T.Env == Void {
    self.init(keyPath, transducer: transducer, env: ())
  }

  /// Declares the values of a dictionary as children, for a transducer that needs no `Env`.
  public init<ID: Hashable, T: Transducer>(
    _ keyPath: WritableKeyPath<State, [ID: T.State]>, transducer: T.Type
  ) where T.Env == Void {
    self.init(keyPath, transducer: transducer, env: ())
  }
}

extension Blueprint {
  fileprivate static func transducer<T: Transducer>(_ type: T.Type, env: T.Env) -> Blueprint
  where T.State == State, T.Event == Action {
    Blueprint {
      let handler = TransducerHandler<T>(env: env)
      return Assembly(handler: handler) { _, scope in handler.connect(scope) }
    }
  }
}
