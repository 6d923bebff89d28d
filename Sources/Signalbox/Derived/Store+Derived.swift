extension Store {
  /// A derived value of the state (V1).
  ///
  /// The Observation framework tracks the derived value alone (V5).
  public subscript<Value>(_ derived: Derived<State, Value>) -> Value {
    engine.storage.read(derived, isTracked: true)
  }
}

extension MutatingStore {
  /// A derived value of the state, with everything that was written so far (V3).
  public subscript<Value>(_ derived: Derived<State, Value>) -> Value {
    let scope = scope.current
    // A private copy of stale work is not closed, so nothing would drop what is kept for it.
    return scope.storage === scope.engine.storage
      ? scope.storage.read(derived) : scope.storage.computed(derived)
  }
}

extension StatePublisher {
  /// The changes of a derived value of the state or of a stored property, as a state signal (V3).
  public subscript<Result>(_ derived: Derived<Value, Result>) -> Signal<Result> {
    let owner = storage
    // Without a path, `Value` is `State`.
    let state =
      unsafe keyPath.map { owner.storage(of: $0) }
      ?? unsafeDowncast(owner, to: StateStorage<Value>.self)
    return Signal(
      Derivation { watcher, attachment in
        let part = state.part(for: derived)
        watcher.watch(part)
        // A wait for the first change needs the store of the value.
        if let attachment { part.addOrigins(to: attachment) }
        @MainActor func noted(_ value: Result) -> Result {
          if let attachment { part.addOrigins(to: attachment) }
          return value
        }
        return DerivationInstance(
          value: { noted(part.value($0)) },
          change: { receive in part.change { receive(noted($0)) } })
      })
  }
}

extension EventLog {
  /// Whether the current value of a derived value is the one that was reported last.
  package func hasReported<Value>(_ derived: Derived<State, Value>) -> Bool {
    let key = DependentKey.value(ObjectIdentifier(derived), at: storage.offset)
    let part = storage.home.dependents[key] as? DerivedPart<State, Value>
    return part?.isReported == true
  }
}
