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
  /// The number of differences that are not in the list.
  var moreDifferences = 0
  var events: [StoreEvent<State, Action>] = []
  var inFlight: [(name: String, state: InFlight.State)] = []
  var instead: [String] = []

  private let most = 8

  var text: String {
    var lines = [headline]
    func section(_ title: String, _ body: [String], before: Int = 0, more: Int = 0) {
      guard !body.isEmpty else { return }
      lines.append(title)
      if before > 0 { lines.append("  … \(before) before") }
      lines += body.prefix(most).map { "  " + $0.replacing("\n", with: "\\n") }
      let rest = max(0, body.count - most) + more
      if rest > 0 { lines.append("  … \(rest) more") }
    }
    // Not clipped, because the difference may be at the end of a line.
    section("Difference:", differences, more: moreDifferences)
    let telling = events.filter { if case .started = $0.kind { false } else { true } }
    section(
      "Last events:", telling.suffix(most).flatMap { self.lines(of: $0) },
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
      }.map(Self.clipped))
    section("Write instead:", instead.map(Self.clipped))
    return lines.joined(separator: "\n")
  }

  private func lines(of event: StoreEvent<State, Action>) -> [String] {
    printer.lines(of: event, named: printer.name(of: event)).map(Self.clipped)
  }

  private var printer: EventPrinter<State, Action> {
    EventPrinter(.line, names: name, isHidden: isHidden)
  }

  /// The name of an event, which is its number if it has no other.
  private func name(of id: Int) -> String? {
    events.first { $0.id == id }.map { printer.name(of: $0) ?? "#\(id)" }
  }

  /// Whether the value that a hook received comes from a redacted part of the state.
  private func isHidden(_ event: StoreEvent<State, Action>) -> Bool {
    // All earlier states are searched, because an operator may keep a value of an earlier state.
    events.prefix { $0.id < event.id }.contains { earlier in
      switch earlier.kind {
      case .started(let state), .stateChanged(_, let state): DebugStore.hides(event, in: state)
      default: false
      }
    }
  }

  private static func clipped(_ line: String) -> String {
    let line = line.replacing("\n", with: "\\n")
    return line.count > 160 ? line.prefix(159) + "…" : line
  }
}
