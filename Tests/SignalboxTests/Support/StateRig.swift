import Signalbox

/// A store of any state without actions, and its `MutatingStore`.
///
/// Its one hook connects nothing and only receives the `MutatingStore`.
@MainActor struct StateRig<State> {
  let store: Store<State, Never>
  let write: MutatingStore<State, Never>

  init(_ state: State) {
    let capture = CapturingHook<State>()
    store = Store(state: state, hookable: capture)
    guard let captured = capture.store else { preconditionFailure("the hook was not connected") }
    write = captured
  }
}

private final class CapturingHook<State>: Hookable {
  enum Hook: CaseIterable { case capture }

  var store: MutatingStore<State, Never>?

  func subscription(for hook: Hook, store: MutatingStore<State, Never>) -> Subscription {
    self.store = store
    return .empty
  }
}

/// Records the values that it receives, in order.
@MainActor final class StateRecorder<Value> {
  private(set) var values: [Value] = []
  private var subscriptions: [Subscription] = []

  init() {}

  init(_ signal: some SignalConvertible<Value>) { listen(to: signal) }

  func listen(to signal: some SignalConvertible<Value>) {
    subscriptions.append(signal.sink { [weak self] in self?.values.append($0) })
  }

  var count: Int { values.count }

  func note(_ value: Value) { values.append(value) }

  /// Returns the values that arrived since the last call.
  func take() -> [Value] {
    defer { values = [] }
    return values
  }

  func cancel() { subscriptions = [] }
}

/// A counter with reference semantics.
final class StateCounter {
  var count = 0

  func take() -> Int {
    defer { count = 0 }
    return count
  }
}
