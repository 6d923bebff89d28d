/// Passes the texts of the events of one store to `DebugStore.print`.
@MainActor final class StoreLog<State, Action>: EventRecorder {
  private let name: String
  private var names = EventNames()
  private var state: State?
  private var hiddenOrigins = HiddenOrigins()
  private(set) var isOver = false
  var onRelease: @MainActor () -> Void = {}

  init(name: String?) { self.name = name ?? featureName(State.self) }

  func storeWasReleased() {
    isOver = true
    onRelease()
  }

  func record(_ event: StoreEvent<State, Action>) {
    switch event.kind {
    case .started(let state), .stateChanged(_, let state): self.state = state
    default: break
    }
    let printer = EventPrinter<State, Action>(
      .entry, names: { self.names[$0] }, isHidden: { self.hiddenOrigins.hide($0, in: self.state) })
    let eventName = printer.name(of: event)
    remember(eventName, of: event)
    let lines = printer.lines(of: event, named: eventName)
    DebugStore.print("\(name): " + lines.joined(separator: "\n"))
    switch WorkPhase.of(event) {
    case .ended: names.end(event.work ?? event.cause)
    case .cancelled: names.endLater(event.work ?? event.cause)
    case .begun, nil: break
    }
  }

  private func remember(_ eventName: String?, of event: StoreEvent<State, Action>) {
    guard let eventName else { return }
    if WorkPhase.of(event) == .begun {
      names.begin(event.id, eventName)
    } else {
      names[event.id] = eventName
    }
  }
}

/// What an event of a store or of one of its children says about its work.
private enum WorkPhase {
  case begun, ended, cancelled

  @MainActor static func of<State, Action>(_ event: StoreEvent<State, Action>) -> WorkPhase? {
    switch event.kind {
    case .dispatched, .runStarted: .begun
    case .finished, .failed, .runFinished, .runFailed: .ended
    case .cancelled, .runCancelled: .cancelled
    case .child(let child): of(child.event)
    default: nil
    }
  }
}

/// Remembers the names of the last events and of work that has not ended, to name causes.
private struct EventNames {
  private var latest: [Int: (name: String, use: Int)] = [:]
  private var uses = 0
  private var work: [Int: String] = [:]
  private var stale: [Int] = []
  private let limit = 2_000

  subscript(_ id: Int) -> String {
    mutating get {
      latest[id]?.use = uses
      return work[id] ?? latest[id]?.name ?? "#\(id)"
    }
    set {
      uses += 1
      latest[id] = (newValue, uses)
      // Half of them are removed at once, because finding the oldest one each time is expensive.
      if latest.count > limit { latest = latest.filter { $0.value.use > uses - limit / 2 } }
    }
  }

  mutating func begin(_ id: Int, _ name: String) {
    self[id] = name
    work[id] = name
  }

  mutating func end(_ id: Int?) {
    if let id { work[id] = nil }
  }

  /// Keeps the name of cancelled work for a while, because dropped events of its body show it.
  mutating func endLater(_ id: Int?) {
    guard let id else { return }
    stale.append(id)
    if stale.count > limit { end(stale.removeFirst()) }
  }
}

/// The name of a store that was made without one: the type of its state or, if that is a nested
/// `State`, the enclosing type.
package func featureName(_ state: Any.Type) -> String {
  let name = "\(state)"
  // "App.(unknown context at $1).Search.State", "App.(Search in _1).State"
  let path = String(reflecting: state).split(separator: ".")
  guard name == "State", path.count > 2 else { return name }
  let feature = path[path.count - 2].prefix { $0 != " " }.drop { $0 == "(" }
  return feature.isEmpty ? name : String(feature)
}
