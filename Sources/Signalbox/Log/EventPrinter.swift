/// Formats the events of a store, for the log and for the failures of tests.
@MainActor package struct EventPrinter<State, Action> {
  package typealias Event = StoreEvent<State, Action>

  private let style: EventStyle
  private let earlierName: @MainActor (Int) -> String?
  /// Decides whether the value of a hook or a dropped change is redacted, as `HiddenOrigins` does.
  private let isHidden: @MainActor (Event) -> Bool

  package init(
    _ style: EventStyle, names: @escaping @MainActor (Int) -> String?,
    isHidden: @escaping @MainActor (Event) -> Bool
  ) {
    self.style = style
    earlierName = names
    self.isHidden = isHidden
  }

  /// The lines of an event with its cause; empty if the event is not worth a line.
  package func lines(of event: Event, named name: String?) -> [String] {
    if case .child(let child) = event.kind { return texts(of: child, in: event).lines }
    guard let headline = headline(event, name) else { return [] }
    return [headline + cause(of: event, named: name)] + detail(event)
  }

  /// The name of an event in the texts of later events; `nil` if they do not name it.
  package func name(of event: Event) -> String? {
    switch event.kind {
    case .started: "started"
    case .dispatched(let action): text(action)
    // The end of work is the cause of the removal of its marks.
    case .finished(let action, _): style.isLine ? text(action) : "end of \(text(action))"
    case .runFinished(let id, _): "end of \(run(id))"
    // The cause of what `onCancel` does, too.
    case .cancelled(let action): style.isLine ? text(action) : "cancel of \(text(action))"
    // The cause of what `onError` does.
    case .failed(let action, _): style.isLine ? text(action) : "error of \(text(action))"
    case .runStarted(let id): run(id)
    case .runCancelled(let id): "cancel of \(run(id))"
    case .runFailed(let id, _): "error of \(run(id))"
    case .hookFired(let name, _): "hook \(name)"
    case .stateChanged: style.isLine ? "a change" : "change" + cause(of: event, named: nil)
    case .pending: "pending change"
    case .confirmed: "confirmed change"
    case .takenBack: "change taken back"
    case .derived(let name, _, _): "derived \(name)"
    case .unhandled, .dropped, .loopStopped, .duplicateChild: nil
    case .child(let child): texts(of: child, in: event).name
    }
  }

  /// The texts of an event of a child, which begin with its path.
  private func texts(
    of child: ChildEvent, in event: Event
  ) -> (name: String?, lines: [String]) {
    let path = child.path + ": "
    // An earlier event of the same child is named without the path.
    let names: @MainActor (Int) -> String? = {
      earlierName($0).map { $0.hasPrefix(path) ? String($0.dropFirst(path.count)) : $0 }
    }
    let printer = EventPrinter<Any, Any>(style, names: names, isHidden: { _ in isHidden(event) })
    let inner = child.event
    let name = printer.name(of: inner)
    var lines = printer.lines(of: inner, named: name)
    if !lines.isEmpty { lines[0] = path + lines[0] }
    return (name.map { path + $0 }, lines)
  }

  // MARK: - Headlines

  private func headline(_ event: Event, _ name: String?) -> String? {
    switch event.kind {
    case .started: style.isLine ? nil : "started"
    case .dispatched: style.isLine ? "dispatched \(name ?? "")" : name
    case .runStarted: name
    case .finished(let action, let time):
      phrase(text(action), "finished") + " after \(time.milliseconds)"
    case .runFinished(let id, let time):
      phrase(run(id), "finished") + " after \(time.milliseconds)"
    case .cancelled(let action): cancelled(text(action), event)
    case .runCancelled(let id): cancelled(run(id), event)
    case .failed(let action, let error): phrase(text(action), "failed") + ": \(text(of: error))"
    case .runFailed(let id, let error): phrase(run(id), "failed") + ": \(text(of: error))"
    case .hookFired(let name, let value):
      "hook \(name)" + (style.isLine ? " received " : ": ")
        + (isHidden(event) ? Redaction.text : text(value))
    case .stateChanged(let old, let new): style.isLine ? paths(old, new) : "changed"
    case .pending, .confirmed, .takenBack: (name ?? "") + (style.isLine ? "" : " of \(work(event))")
    case .derived(let name, let old, let new):
      "derived \(name): "
        + (isHidden(event) ? Redaction.text : "\(text(old)) → \(text(new))")
    case .unhandled(let error, let action):
      "unhandled error" + (style.isLine ? "" : action.map { " of \(text($0))" } ?? "")
        + ": \(text(of: error))"
    case .dropped(let dropped):
      "dropped \(self.text(dropped, event))" + (style.isLine ? "" : " of stale \(work(event))")
    case .loopStopped(let chain):
      "stopped a loop: \(chain.joined(separator: " → ")) → and so on"
    case .duplicateChild(let path): "two elements have the id of the child \(path)"
    case .child: nil
    }
  }

  private func phrase(_ subject: String, _ verb: String) -> String {
    style.isLine ? "\(verb) \(subject)" : "\(subject) \(verb)"
  }

  /// A cancellation with its reason, as in `superseded .search("a") by .search("ab")`.
  private func cancelled(_ subject: String, _ event: Event) -> String {
    let (verb, reason) = reason(event)
    return phrase(subject, verb) + reason
  }

  private func reason(_ event: Event) -> (verb: String, rest: String) {
    func by(_ id: Int?, _ word: String) -> String {
      id.flatMap(earlierName).map { " \(word) \($0)" } ?? ""
    }
    return switch event.cancellation {
    case .superseded(let id): ("superseded", by(id, "by"))
    case .ignored(let id): ("ignored", by(id, "while there is"))
    case .storeReleased: ("ended", ": the store is gone")
    case .endedWithState: ("ended", " with its state")
    // In a line, the cause of the event follows.
    case .requested(let id): ("cancelled", style.isLine ? "" : by(id, "by"))
    case nil: ("cancelled", "")
    }
  }

  private func work(_ event: Event) -> String {
    (event.work ?? event.cause).flatMap(earlierName) ?? "work"
  }

  private func text(_ dropped: Event.Dropped, _ event: Event) -> String {
    switch dropped {
    case .change(let old, let new) where style.isLine:
      "change \(isHidden(event) ? Redaction.text : paths(old, new))"
    case .change: "change"
    case .action(let action): text(action)
    case .run: "run"
    case .cancel: "cancel"
    }
  }

  /// The cause of an event, unless the event's headline already names it.
  private func cause(of event: Event, named name: String?) -> String {
    guard let origin = event.cause.flatMap(earlierName) else { return "" }
    if style.isLine {
      return origin == name || isNamedInHeadline(event) ? "" : "  ← \(origin)"
    }
    return switch event.kind {
    case .finished, .failed, .cancelled, .dropped, .unhandled: ""
    case .runFinished, .runFailed, .runCancelled: ""
    default: " ← \(origin)"
    }
  }

  private func isNamedInHeadline(_ event: Event) -> Bool {
    switch event.cancellation {
    case .superseded, .ignored: true
    case .requested, .storeReleased, .endedWithState, nil: false
    }
  }

  // MARK: - Changes and values

  private static var invisible: String { "no visible difference" }

  private func detail(_ event: Event) -> [String] {
    if style.isLine { return [] }
    return switch event.kind {
    case .started(let state): lines(Dump.string(of: state)).map { "  " + $0 }
    case .dropped(.change) where isHidden(event): ["  " + Redaction.text]
    case .stateChanged(let old, let new), .dropped(.change(let old, let new)):
      lines(Diff(from: old, to: new)?.description ?? Self.invisible)
    default: []
    }
  }

  private func paths(_ old: State, _ new: State) -> String {
    guard case .line(_, let changes) = style else { return "" }
    let text = changes(old, new)
    return text.isEmpty ? Self.invisible : text
  }

  private func run(_ id: (any Hashable & Sendable)?) -> String {
    id.map { "run \(text($0))" } ?? "run"
  }

  private func text(of error: any Error) -> String {
    style.isLine ? Dump.description(of: error) : text(error)
  }

  private func text(_ action: Action) -> String { inline(Redaction.shown(message: action)) }

  private func text(_ value: Any) -> String { inline(value) }

  private func inline(_ value: Any) -> String {
    if case .line(let text, _) = style { text(value) } else { EventStyle.text(of: value) }
  }

  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
