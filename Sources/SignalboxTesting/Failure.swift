import Signalbox
import SignalboxInspection

/// The first eight names, followed by the number of the others.
func listed(_ names: [String]) -> String {
  let most = 8
  let rest = names.count - most
  return (names.prefix(most) + (rest > 0 ? ["… \(rest) more"] : [])).joined(separator: ", ")
}

/// The text of a failure: a headline and sections, of which no line is cut (T4, T11).
@MainActor struct Failure<State, Action> {
  var headline: String
  var differences: [String] = []
  var moreDifferences = 0
  var recorder: Recorder<State, Action>
  var inFlight: [Piece] = []
  var held: [Piece] = []
  var instead: [String] = []
  var remarks: [String] = []
  /// Whether the store is a child in a redacted part of the state.
  var isHidden = false

  private let most = 8

  init(_ headline: String, of recorder: Recorder<State, Action>) {
    self.headline = headline
    self.recorder = recorder
  }

  var text: String {
    let sections = sections
    return sections.isEmpty ? headline : headline + "\n" + sections
  }

  var sections: String {
    var lines: [String] = []
    func section(
      _ title: String, _ body: [String], before: Int = 0, more: Int = 0, atMost most: Int? = nil
    ) {
      let most = most ?? self.most
      guard !body.isEmpty else { return }
      lines.append(title)
      if before > 0 { lines.append("  … \(before) before") }
      lines += body.prefix(most).map { "  " + $0.replacing("\n", with: "\\n") }
      let rest = max(0, body.count - most) + more
      if rest > 0 { lines.append("  … \(rest) more") }
    }
    section("Difference:", differences, more: moreDifferences)
    let telling = recorder.events.filter { event in
      switch event.kind {
      case .started: false
      case .stateChanged, .hookFired, .dropped: !isHidden
      default: true
      }
    }
    section(
      "Last events:", telling.suffix(most).flatMap { self.lines(of: $0) },
      before: max(0, telling.count - most) + recorder.droppedEvents)
    // What holds up the test comes first.
    let waiting = inFlight.filter { !$0.waits.isEmpty }
    let pieces = inFlight.filter(\.waits.isEmpty) + waiting + held
    section(
      "In flight:", pieces.prefix(most).map(description), more: max(0, pieces.count - most))
    // Code of which a line is missing would not hold.
    section("Write instead:", instead, atMost: instead.count)
    section("Note:", remarks)
    return lines.joined(separator: "\n")
  }

  // MARK: - Events

  func lines(of event: StoreEvent<State, Action>) -> [String] {
    printer.lines(of: event, named: printer.name(of: event))
  }

  private var printer: EventPrinter<State, Action> {
    EventPrinter(.source, names: name, isHidden: isHidden)
  }

  private func name(of id: Int) -> String? {
    recorder.beginning(of: id).map { printer.name(of: $0) ?? "#\(id)" }
  }

  /// Whether the value that a hook received, or a dropped change of a child, is redacted.
  private func isHidden(_ event: StoreEvent<State, Action>) -> Bool {
    // A value may come from a state that was dropped.
    if recorder.droppedEvents > 0 { return true }
    let (events, redactions) = (recorder.events, Redaction.current.count)
    // A copy, because the search runs user code, which may fail the test again.
    var hidden = recorder.hidden
    if hidden.redactions != redactions { hidden = (redactions, .init(), [], 0) }
    for index in hidden.count..<events.count
    where hidden.origins.hide(events[index], after: events[..<index]) {
      hidden.events.insert(events[index].id)
    }
    hidden.count = events.count
    recorder.hidden = hidden
    return hidden.events.contains(event.id)
  }

  // MARK: - Work in flight

  /// As in `.search("a"), sent at ChatTests.swift:12, for 10.2 ms, waits for search("a")`.
  private func description(_ piece: Piece) -> String {
    let age = "for \(piece.start.duration(to: .now).milliseconds)"
    let parts = [piece.name, identity(piece), origin(piece), age, waiting(piece)]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }

  private func identity(_ piece: Piece) -> String? {
    guard case .dispatched(let action)? = recorder.beginning(of: piece.event)?.kind,
      let action = action as? any CancellableAction, let id = action.cancelIdentifier
    else { return nil }
    return "named \(SourceFormatter.text(of: id)) (\(action.overlap))"
  }

  private func origin(_ piece: Piece) -> String? {
    guard let event = piece.event else { return nil }
    if let site = recorder.ledger.directSite(of: event) { return "sent at \(site.description)" }
    return recorder.ledger.cause(of: event).flatMap(name).map { "started by \($0)" }
  }

  private func waiting(_ piece: Piece) -> String? {
    let ending = piece.isCancelledBody ? "cancelled, but its body has not returned; " : ""
    let waits = piece.waits.map { wait in
      switch wait {
      case .clock(let clock, let deadline):
        "sleeps until \(deadline) on a test clock that shows \(clock.now)"
      case .interval(let clock, let deadline):
        "until \(deadline) at the latest, on a test clock that shows \(clock.now)"
      case .endpoint(_, let name, let request): "waits for \(name)(\(request()))"
      case .work(let event): "waits for \(event.flatMap(name) ?? "other work")"
      case .source: "listens to a source"
      }
    }
    if !waits.isEmpty { return ending + listed(waits) }
    if piece.isRunnable { return ending + "is about to run" }
    return ending + "waits for something that the test kit cannot see"
  }
}
