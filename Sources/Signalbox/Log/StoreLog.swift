/// Formats the events of one store and passes the text to `DebugStore.print`.
@MainActor final class StoreLog<State, Action>: EventRecorder {
  private let name: String
  private var names = EventNames()
  private var state: State?
  /// The origins of hook values that were hidden.
  ///
  /// Later values of these origins are hidden, too, because an operator may remember a hidden
  /// value.
  private var hiddenOrigins: Set<Provenance> = []
  /// Whether the store was released.
  private(set) var isOver = false
  /// Called when the store is released.
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
    var lines = ["\(name): \(headline(event))\(cause(of: event))"]
    lines += detail(event)
    DebugStore.print(lines.joined(separator: "\n"))
    switch event.kind {
    case .finished, .failed, .runFinished, .runFailed: names.end(event.work ?? event.cause)
    case .cancelled, .runCancelled: names.endLater(event.work ?? event.cause)
    default: break
    }
  }

  private func headline(_ event: StoreEvent<State, Action>) -> String {
    switch event.kind {
    case .started:
      names[event.id] = "started"
      return "started"
    case .dispatched(let action):
      let name = line(action)
      names.begin(event.id, name)
      return name
    case .finished(let action, let time):
      return "\(line(action)) finished after \(time.milliseconds)"
    case .cancelled(let action):
      // This event is the cause of what `onCancel` does and of the removal of marks.
      names[event.id] = "cancel of \(line(action))"
      return "\(line(action)) \(reason(event))"
    case .failed(let action, let error):
      // This event is the cause of what `onError` does.
      names[event.id] = "error of \(line(action))"
      return "\(line(action)) failed: \(line(error))"
    case .runStarted(let id):
      let name = run(id)
      names.begin(event.id, name)
      return name
    case .runFinished(let id, let time): return "\(run(id)) finished after \(time.milliseconds)"
    case .runCancelled(let id):
      names[event.id] = "cancel of \(run(id))"
      return "\(run(id)) \(reason(event))"
    case .runFailed(let id, let error):
      names[event.id] = "error of \(run(id))"
      return "\(run(id)) failed: \(line(error))"
    case .hookFired(let name, let value):
      names[event.id] = "hook \(name)"
      return "hook \(name): \(isHidden(event) ? Redaction.text : line(value))"
    case .stateChanged:
      names[event.id] = "change" + cause(of: event)
      return "changed"
    case .unhandled(let error, let action):
      let origin = action.map { " of \(line($0))" } ?? ""
      return "unhandled error\(origin): \(line(error))"
    case .dropped(let dropped): return "dropped \(name(of: dropped)) of stale \(work(event))"
    case .loopStopped(let chain):
      return "stopped a loop: \(chain.joined(separator: " → ")) → and so on"
    }
  }

  private func isHidden(_ event: StoreEvent<State, Action>) -> Bool {
    if hiddenOrigins.contains(event.provenance) { return true }
    let isHidden = state.map { DebugStore.hides(event, in: $0) } ?? true
    if isHidden { hiddenOrigins.insert(event.provenance) }
    return isHidden
  }

  private func detail(_ event: StoreEvent<State, Action>) -> [String] {
    switch event.kind {
    case .started(let state): lines(Dump.string(of: state)).map { "  " + $0 }
    case .stateChanged(let old, let new): difference(old, new)
    case .dropped(.change(let old, let new)): difference(old, new)
    default: []
    }
  }

  private func difference(_ old: State, _ new: State) -> [String] {
    let diff = Diff(from: old, to: new)
    return lines(diff?.description ?? "no difference that one can see")
  }

  /// The cause of an event, unless the event's headline already names it.
  private func cause(of event: StoreEvent<State, Action>) -> String {
    switch event.kind {
    case .finished, .failed, .cancelled, .dropped, .unhandled: ""
    case .runFinished, .runFailed, .runCancelled: ""
    default: event.cause.map { " ← \(names[$0])" } ?? ""
    }
  }

  private func reason(_ event: StoreEvent<State, Action>) -> String {
    func by(_ id: Int?, _ word: String) -> String { id.map { " \(word) \(names[$0])" } ?? "" }
    return switch event.cancellation {
    case .superseded(let id): "superseded\(by(id, "by"))"
    case .ignored(let id): "ignored\(by(id, "while there is"))"
    case .storeReleased: "cancelled: the store is gone"
    case .requested(let id): "cancelled\(by(id, "by"))"
    case nil: "cancelled"
    }
  }

  private func work(_ event: StoreEvent<State, Action>) -> String {
    (event.work ?? event.cause).map { names[$0] } ?? "work"
  }

  private func name(of dropped: StoreEvent<State, Action>.Dropped) -> String {
    switch dropped {
    case .change: "change"
    case .action(let action): line(action)
    case .run: "run"
    case .cancel: "cancel"
    }
  }

  private func run(_ id: (any Hashable & Sendable)?) -> String {
    id.map { "run \(line($0))" } ?? "run"
  }

  /// Formats a value on one line.
  private func line(_ value: Any) -> String {
    let text = lines(Dump.string(of: value, limits: Limits(depth: 4, lines: 12, bytes: 400)))
    return text.map { String($0.drop { $0 == " " }) }.joined(separator: " ")
  }

  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

/// Remembers the names of events, to name the causes of later events.
///
/// It keeps the names that were used last, and those of work that has not ended.
private struct EventNames {
  private var latest: [Int: (name: String, use: Int)] = [:]
  private var uses = 0
  private var work: [Int: String] = [:]
  private var stale: [Int] = []
  private let most = 2_000

  subscript(_ id: Int) -> String {
    mutating get {
      latest[id]?.use = uses
      return work[id] ?? latest[id]?.name ?? "#\(id)"
    }
    set {
      uses += 1
      latest[id] = (newValue, uses)
      // Half of them are removed at once, because finding the oldest one each time is expensive.
      if latest.count > most { latest = latest.filter { $0.value.use > uses - most / 2 } }
    }
  }

  mutating func begin(_ id: Int, _ name: String) {
    self[id] = name
    work[id] = name
  }

  mutating func end(_ id: Int?) {
    if let id { work[id] = nil }
  }

  /// Keeps the name of cancelled work for a while, because what its body still tries is logged as
  /// dropped, with that name.
  mutating func endLater(_ id: Int?) {
    guard let id else { return }
    stale.append(id)
    if stale.count > most { end(stale.removeFirst()) }
  }
}

/// The name of a store that was made without one, which is the type of its state.
///
/// If that type is a nested type called `State`, the name is that of the enclosing type.
private func featureName(_ state: Any.Type) -> String {
  let name = "\(state)"
  // "App.(unknown context at $1).Search.State", "App.(Search in _1).State"
  let path = String(reflecting: state).split(separator: ".")
  guard name == "State", path.count > 2 else { return name }
  let feature = path[path.count - 2].prefix { $0 != " " }.drop { $0 == "(" }
  return feature.isEmpty ? name : String(feature)
}
