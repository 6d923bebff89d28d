import Signalbox

/// Records every event of a store under test.
@MainActor final class Recorder<State, Action>: EventRecorder {
  typealias Event = StoreEvent<State, Action>

  /// An action that code in the store has dispatched, with the states around it.
  struct Received {
    let event: Int
    let action: Action
    let before: State
    /// The state when the action ended, and the number of state updates until then.
    var after: (state: State, updates: Int)?
  }

  private(set) var events: [Event] = []
  private(set) var stateUpdates: [State] = []
  private(set) var triggeredActions: [Action] = []
  private(set) var firedHooks: [String] = []
  /// The actions that code in the store has dispatched and the test has not asserted yet.
  var received: [Received] = []

  private var state: State
  private var onEvent: [Int: @MainActor () -> Void] = [:]
  private var lastWaiter = 0

  init(_ state: State) { self.state = state }

  func record(_ event: Event) {
    events.append(event)
    switch event.kind {
    case .started(let state): self.state = state
    case .stateChanged(_, let state):
      self.state = state
      stateUpdates.append(state)
    case .dispatched(let action):
      triggeredActions.append(action)
      // An action without a cause was dispatched by the test.
      if event.cause != nil {
        received.append(Received(event: event.id, action: action, before: state))
      }
    case .finished, .cancelled, .failed: end(event.work)
    case .hookFired(let name, _): firedHooks.append(name)
    default: break
    }
    recheck()
  }

  func storeWasReleased() {}

  private func end(_ work: Int?) {
    guard let index = received.firstIndex(where: { $0.event == work && $0.after == nil }) else {
      return
    }
    received[index].after = (state, stateUpdates.count)
  }

  /// Checks the conditions of all waits again.
  func recheck() {
    for body in onEvent.values { body() }
  }

  /// Waits until a condition holds.
  ///
  /// Checks it now and after each event.
  func wait(_ timeout: Timeout, until condition: @escaping @MainActor () -> Bool) async -> Bool {
    lastWaiter += 1
    let number = lastWaiter
    // A wait that has timed out must not keep what its condition captures.
    defer { onEvent[number] = nil }
    return await timeout.wait { happened in
      if condition() { return happened() }
      onEvent[number] = { if condition() { happened() } }
    }
  }
}
