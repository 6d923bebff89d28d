import Signalbox

/// The events of a store, as short lines.
@MainActor final class StoreJournal<State, Action> {
  typealias Event = StoreEvent<State, Action>

  private(set) var events: [Event] = []
  private var subscription: Subscription?

  init(_ store: Store<State, Action>) {
    subscription = store.events.sink { [weak self] in self?.events.append($0) }
  }

  func stop() { subscription = nil }

  /// One line for each event: `dispatched load`, `change`, `hook first 1`.
  var lines: [String] { events.map { Self.line($0.kind) } }

  /// Each event with its cause: `change ← dispatched load`.
  var tree: [String] {
    events.map { event in
      guard let cause = event.cause else { return Self.line(event.kind) }
      let origin = events.first { $0.id == cause }.map { Self.line($0.kind) }
      return "\(Self.line(event.kind)) ← \(origin ?? "?")"
    }
  }

  /// What has led to the last change of a property, the latest first.
  func path<Value: Equatable>(of property: KeyPath<State, Value>) -> [String] {
    var path: [String] = []
    var next = events.last { event in
      guard case .stateChanged(let old, let new) = event.kind else { return false }
      return old[keyPath: property] != new[keyPath: property]
    }
    while let cause = next?.cause {
      next = events.first { $0.id == cause }
      path.append(next.map { Self.line($0.kind) } ?? "?")
    }
    return path
  }

  private static func name(_ id: (any Hashable & Sendable)?) -> String { id.map { "\($0)" } ?? "-" }

  static func line(_ kind: Event.Kind) -> String {
    switch kind {
    case .started: "started"
    case .dispatched(let action): "dispatched \(action)"
    case .finished(let action, _): "finished \(action)"
    case .cancelled(let action): "cancelled \(action)"
    case .failed(let action, _): "failed \(action)"
    case .runStarted(let id): "run \(name(id))"
    case .runFinished(let id, _): "finished run \(name(id))"
    case .runCancelled(let id): "cancelled run \(name(id))"
    case .runFailed(let id, let error): "failed run \(name(id)) \(error)"
    case .hookFired(let name, let value): "hook \(name) \(value)"
    case .stateChanged: "change"
    case .pending: "pending"
    case .confirmed: "confirmed"
    case .takenBack: "taken back"
    case .derived(let name, _, _): "derived \(name)"
    case .unhandled(let error, let action):
      action.map { "unhandled \(error) of \($0)" } ?? "unhandled \(error)"
    case .dropped(.change): "dropped change"
    case .dropped(.action(let action)): "dropped \(action)"
    case .dropped(.run): "dropped run"
    case .dropped(.cancel): "dropped cancel"
    case .loopStopped: "loop stopped"
    case .child(let child): child.path
    case .duplicateChild(let path): "duplicate \(path)"
    @unknown default: "unknown"
    }
  }
}
