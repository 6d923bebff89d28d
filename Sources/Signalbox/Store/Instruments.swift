/// Gives the test kit access to a store beyond its public API.
@MainActor package struct Instruments<State, Action> {
  fileprivate let engine: Engine<State, Action>
  fileprivate let scope: Scope<State, Action>

  /// Write access on behalf of the store itself, for a test that arranges a state.
  package var arranging: MutatingStore<State, Action> { MutatingStore(scope) }

  /// The state, which is not tracked for the Observation framework.
  package var state: State { engine.storage.read(\.self) }

  /// The state without the changes that are pending (O6).
  package var truth: State { engine.storage.truth }

  /// The number of changes that are pending, here and in the stores around and within.
  package var pendingChanges: Int { engine.storage.transaction.optimistic?.count ?? 0 }

  /// Must be called before the hooks are connected.
  package func follow(by follower: any WorkFollower) { engine.book.follower = follower }

  package func connect<H: Hookable<State, Action>>(_ hookable: H) {
    if engine.handler == nil { engine.connect(hookable) } else { connect() }
  }

  /// Connects the hooks and begins the children.
  package func connect() { engine.handler?.connect(scope) }

  /// The type of the hooks and their names; `nil` for a transducer, which has none.
  package var hooks: (type: Any.Type, names: [String])? {
    func open<H: Hookable>(_: H) -> (type: Any.Type, names: [String]) {
      (H.Hook.self, H.hooks.map { "\($0)" })
    }
    return engine.hookable.map { open($0) }
  }

  package var remedyForErrors: String { engine.remedyForErrors }

  /// What may be wrong if the user has followed `remedyForErrors`.
  package var doubtAboutErrors: String {
    engine.performsItself
      ? ""
      : " If the interactor has an `onError`, it has another signature than "
        + "`onError(_:action:store:)`."
  }

  /// Whether a hook has a sink that can receive a value.
  package func canFire(_ hook: String) -> Bool { engine.canFire(hook) }

  package func drainPosts() { engine.drainPosts() }
}

extension Store {
  package var instruments: Instruments<State, Action> { Instruments(engine: engine, scope: scope) }
}
