import Signalbox

/// The first eight names, followed by the number of the others.
func listed(_ names: [String]) -> String {
  let most = 8
  let rest = names.count - most
  return (names.prefix(most) + (rest > 0 ? ["… \(rest) more"] : [])).joined(separator: ", ")
}

/// The text of a failure.
///
/// Its sections are the headline, the differences of the state, the last events with their causes,
/// the work in flight, and what to write instead (T4).
@MainActor struct Failure<State, Action> {
  var headline: String
  var differences: [String] = []
  var events: [StoreEvent<State, Action>] = []
  var inFlight: [(name: String, state: InFlight.State)] = []
  var instead: [String] = []

  private let most = 8

  var text: String {
    var lines = [headline]
    func section(_ title: String, _ body: [String], before: Int = 0) {
      guard !body.isEmpty else { return }
      lines.append(title)
      if before > 0 { lines.append("  … \(before) before") }
      lines += body.prefix(most).map { "  " + Self.clipped($0) }
      if body.count > most { lines.append("  … \(body.count - most) more") }
    }
    section("Difference:", differences)
    let telling = events.filter { if case .started = $0.kind { false } else { true } }
    section(
      "Last events:", telling.suffix(most).compactMap(line),
      before: max(0, telling.count - most))
    section(
      "In flight:",
      inFlight.map { piece in
        switch piece.state {
        case .busy: piece.name
        case .asleep: "\(piece.name), asleep on a test clock"
        case .waiting: "\(piece.name), waiting for other work"
        case .listening: "\(piece.name), listening"
        }
      })
    section("Write instead:", instead)
    return lines.joined(separator: "\n")
  }

  private func line(_ event: StoreEvent<State, Action>) -> String? {
    guard let text = text(event) else { return nil }
    guard let id = event.cause, let cause = events.first(where: { $0.id == id }),
      case let origin = Self.name(cause), origin != Self.name(event)
    else { return text }
    return "\(text)  ← \(origin)"
  }

  /// The name of an event in the text of an event that it caused.
  private static func name(_ event: StoreEvent<State, Action>) -> String {
    switch event.kind {
    case .dispatched(let action), .finished(let action, _), .cancelled(let action),
      .failed(let action, _):
      describe(action)
    case .hookFired(let name, _): "hook \(name)"
    case .stateChanged: "a change"
    default: "#\(event.id)"
    }
  }

  private func text(_ event: StoreEvent<State, Action>) -> String? {
    switch event.kind {
    case .started: nil
    case .dispatched(let action): "dispatched \(describe(action))"
    case .finished(let action, let time): "finished \(describe(action)) after \(time.milliseconds)"
    case .cancelled(let action): "cancelled \(describe(action))"
    case .failed(let action, let error): "failed \(describe(action)): \(Self.error(error))"
    case .runStarted(let id): "run \(Self.run(id))"
    case .runFinished(let id, let time): "finished run \(Self.run(id)) after \(time.milliseconds)"
    case .runCancelled(let id): "cancelled run \(Self.run(id))"
    case .runFailed(let id, let error): "failed run \(Self.run(id)): \(Self.error(error))"
    case .hookFired(let name, let value): "hook \(name) received \(received(value, in: event))"
    case .stateChanged(let old, let new):
      Difference.between(old, new).prefix(3).map(\.line).joined(separator: ", ")
    case .unhandled(let error, _): "unhandled error: \(Self.error(error))"
    case .dropped(.change(let old, let new)):
      "dropped change "
        + Difference.between(old, new).prefix(3).map(\.line).joined(separator: ", ")
    case .dropped(.action(let action)): "dropped \(describe(action))"
    case .dropped(.run): "dropped a run"
    case .dropped(.cancel): "dropped a cancel"
    case .loopStopped(let chain): "loop stopped: \(chain.joined(separator: " → "))"
    }
  }

  /// The value that a hook received, unless it comes from a redacted part of the state.
  private func received(_ value: Any, in event: StoreEvent<State, Action>) -> String {
    let states = events.prefix { $0.id < event.id }.compactMap { event -> State? in
      switch event.kind {
      case .started(let state), .stateChanged(_, let state): state
      default: nil
      }
    }
    // All earlier states are searched, because an operator may keep a value of an earlier state.
    let isHidden = states.contains { DebugStore.hides(event, in: $0) }
    return isHidden ? Redaction.text : describe(value)
  }

  private static func error(_ error: any Error) -> String { Dump.description(of: error) }

  private static func run(_ id: (any Hashable & Sendable)?) -> String {
    id.map { describe($0) } ?? "without a name"
  }

  private static func clipped(_ line: String) -> String {
    let line = line.replacing("\n", with: "\\n")
    return line.count > 160 ? line.prefix(159) + "…" : line
  }
}
