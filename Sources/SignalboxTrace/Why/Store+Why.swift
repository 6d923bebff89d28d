public import Signalbox
import SignalboxInspection

extension Store {
  /// Who changed a part of the state last, back to what came from outside (R5).
  ///
  ///     print(store.why(\.isHeated))
  ///     // true ← hook cold ← celsius 20.0 → 17.0 ← hook measured ← outside
  ///
  /// A redacted value is not shown (D4). Ask a child itself for its properties.
  ///
  /// - Parameter keyPath: a path of stored properties, or `\.self` for the whole state.
  /// - Returns: the value and the events. They are known while a `Recording` is in progress or after
  ///   `Why.start()`; the description says so if they are not.
  public func why<Value>(_ keyPath: KeyPath<State, Value>) -> Why {
    Why(keyPath, in: instruments.state, eventLog)
  }

  /// Who changed a child last, back to what came from outside (R5).
  ///
  ///     print(store.why(child: \.rows, id: 3))
  ///     // Row(id: 3, text: "x") ← .rename("x") ← outside
  ///
  /// - Parameters:
  ///   - keyPath: a path of stored properties to the elements, which need not be declared children.
  ///   - id: the `id` of the element.
  /// - Returns: the element and the events, as for a property. The value is `nil` if there is no such
  ///   element now.
  public func why<Element: Identifiable>(
    child keyPath: KeyPath<State, [Element]>, id: Element.ID
  ) -> Why {
    let elements = instruments.state[keyPath: keyPath].filter { $0.id == id }
    return Why(
      keyPath, in: instruments.state, eventLog,
      element: (AnyHashable(id), elements.first as Any, isUnique: elements.count < 2))
  }

  /// Who changed a child in a dictionary last, back to what came from outside (R5).
  ///
  /// - Parameters:
  ///   - keyPath: a path of stored properties to the dictionary.
  ///   - id: the key.
  /// - Returns: the value of the entry and the events, as for a property.
  public func why<ID: Hashable, Element>(
    child keyPath: KeyPath<State, [ID: Element]>, id: ID
  ) -> Why {
    let element = instruments.state[keyPath: keyPath][id]
    return Why(
      keyPath, in: instruments.state, eventLog,
      element: (AnyHashable(id), element as Any, isUnique: true))
  }

  /// What changed a derived value last, back to what came from outside (R5).
  ///
  ///     print(store.why(Cart.total))
  ///     // total 3 → 4 ← lines[2].price 1 → 2 ← .setPrice(2) ← outside
  ///
  /// Changes are known of the time in which it was observed.
  ///
  /// - Returns: the name as `value`, and the events, as for a property. The first one has the values.
  public func why<Value>(_ derived: Derived<State, Value>) -> Why { Why(derived, eventLog) }
}

extension MutatingStore {
  /// Who changed a part of the state last, back to what came from outside (R5).
  ///
  /// - Parameter keyPath: a path of stored properties, or `\.self` for the whole state.
  /// - Returns: the value and the events, as for `Store.why(_:)`.
  public func why<Value>(_ keyPath: KeyPath<State, Value>) -> Why {
    Why(keyPath, in: state, eventLog)
  }
}

extension Why {
  /// - Parameter element: the id and the value of an element at the key path.
  @MainActor fileprivate init<State, Action, Value>(
    _ keyPath: KeyPath<State, Value>, in state: State, _ log: EventLog<State, Action>,
    element: (id: AnyHashable, value: Any, isUnique: Bool)? = nil
  ) {
    let shown = element?.value ?? state[keyPath: keyPath]
    let isHidden =
      log.isHidden || Redaction.current.hides(state[keyPath: keyPath], from: keyPath, in: state)
    value = isHidden ? Redaction.text : SourceFormatter.text(of: shown)
    // Connects a listener that was added since the last event.
    guard log.isWatched, let history = Self.history(of: log) else {
      (steps, gap) = ([], .off)
      return
    }
    guard let place = log.steps({ ChangedPart.steps(to: $0, in: $1) }),
      let own = ChangedPart.steps(of: keyPath, in: state)
    else {
      (steps, gap) = ([], .noStoredProperty)
      return
    }
    let last = history.lastChange(of: place + own + (element.map { [.element($0.id)] } ?? []))
    // Changes of elements with the same id are not told apart.
    let isUnique = log.isUnique && element?.isUnique != false
    steps = Self.steps(from: isUnique ? last : .forgotten)
    gap = nil
  }

  @MainActor fileprivate init<State, Action, Value>(
    _ derived: Derived<State, Value>, _ log: EventLog<State, Action>
  ) {
    let history = Self.history(of: log)
    let last = history?.lastChange(of: History.derived(derived.name, in: log.fullPath))
    steps = last.map { Self.steps(from: log.hasReported(derived) ? $0 : .forgotten) } ?? []
    gap = last == nil ? .off : nil
    value = derived.name
  }

  @MainActor private static func history<State, Action>(
    of log: EventLog<State, Action>
  ) -> History? {
    for case let listener as TraceListener in StoreListening.all {
      if let history = listener.history(of: log.numbers) { return history }
    }
    return nil
  }

  /// The names and the ids in the place of a child, as in `\.rows[id: 3].detail`.
  static func names(inChildPath text: String) -> [String] {
    var names: [String] = []
    for part in text.dropFirst(2).split(separator: ".", omittingEmptySubsequences: false) {
      // An id may have dots in it, and a text may have brackets.
      if let last = names.last, last.hasPrefix("[id: "),
        last.wholeMatch(of: /\[id: ("([^"\\]|\\.)*"[^"]*|[^"].*)\]/) == nil
      {
        names[names.count - 1] = "\(last).\(part)"
        continue
      }
      let name = part.prefix { $0 != "[" && $0 != "?" }
      names.append(String(name))
      let id = part.dropFirst(name.count)
      if id.hasPrefix("[") { names.append(String(id)) }
    }
    return names
  }

  @MainActor private static func steps(from last: LastChange) -> [Step] {
    switch last {
    case .none: [Step(kind: .unchanged, text: "nothing since it was first recorded", event: nil)]
    case .forgotten: [Step(kind: .forgotten, text: "not known any more", event: nil)]
    case .event(let event): steps(from: event)
    }
  }

  @MainActor private static func steps(from last: History.Event) -> [Step] {
    var steps: [Step] = []
    var next: History.Event? = last
    while let event = next {
      steps.append(Step(kind: event.kind, text: event.text, event: event.id))
      next = event.cause
    }
    if steps.last?.kind != .forgotten {
      steps.append(Step(kind: .outside, text: "outside", event: nil))
    }
    return steps
  }
}

extension Why.Step.Kind {
  init?(_ kind: TraceEvent.Kind) {
    switch kind {
    case .began(let work), .finished(let work, _), .cancelled(let work, _), .failed(let work, _):
      self = work.isRun ? .run : .action
    case .hookFired: self = .hook
    case .changed, .lost: self = .change
    case .derived: self = .derived
    case .started, .pending, .confirmed, .takenBack, .unhandled, .dropped, .loopStopped,
      .duplicateChild:
      self = .other
    case .store, .state, .released, .called, .answered, .advanced, .stopped, .testFailed: return nil
    }
  }
}

extension TraceEvent.Kind {
  var whyText: String {
    switch self {
    case .started: "start"
    case .began(let work): work.text()
    case .finished(let work, _): "end of \(work.text())"
    case .cancelled(let work, _): "cancel of \(work.text())"
    case .failed(let work, _): "error of \(work.text())"
    case .hookFired(let name, _): "hook \(name)"
    case .changed(let edits): edits.text()
    case .derived(let name, let old, let new): "\(name) \(old.text()) → \(new.text())"
    case .lost(let count, let edits): "\(count) lost events: \(edits.text())"
    case .pending: "pending change"
    case .confirmed: "confirmed change"
    case .takenBack: "change taken back"
    case .unhandled(let failure, _): "unhandled error: \(failure.text.prefix(80))"
    default: name
    }
  }
}

extension TraceEvent.Work {
  package func text(room: Int = 80) -> String {
    switch self {
    case .action(let action): action.text(room: room)
    case .run(let id): id.map { "run \($0.text(room: room))" } ?? "run"
    }
  }
}
