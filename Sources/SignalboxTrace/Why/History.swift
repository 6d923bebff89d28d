internal import Signalbox
internal import SignalboxInspection

/// What `why` knows about a store: its latest events, and who changed each property last.
///
///     events   … 7 hook measured ◀── 8 celsius 20.0 → 17.0 ◀── 9 hook cold ◀── 10 isHeated …
///                                     ▲                                         ▲
///     writers  celsius ───────────────┘                    isHeated ────────────┘
///
/// An event keeps its cause, so the causes of the last change of a property stay, however old.
@MainActor final class History {
  /// An event with its cause.
  final class Event {
    let id: Int?
    let kind: Why.Step.Kind
    let cause: Event?
    let depth: Int
    /// Counts all events, as lost ones have no `id`.
    let order: Int
    private var content: Content

    /// Text is made when it is asked for, because most of it never is.
    private enum Content {
      case event(TraceEvent)
      case text(String)
    }

    fileprivate init(
      id: Int?, _ kind: Why.Step.Kind, _ event: TraceEvent?, weight: Int = 0, cause: Event?,
      order: Int
    ) {
      self.id = id
      self.kind = kind
      self.cause = cause
      self.order = order
      depth = (cause?.depth ?? 0) + 1
      content = event.map { .event($0) } ?? .text("…")
      // A large value is not kept for its first few characters.
      if weight >= 2_000 { _ = text }
    }

    var isFormatted: Bool { if case .text = content { true } else { false } }

    var text: String {
      switch content {
      case .text(let text): return text
      case .event(let event):
        let text = (event.child.map { "\($0): " } ?? "") + event.kind.whyText
        content = .text(text)
        return text
      }
    }
  }

  /// How many of the newest events are kept at least; at most, twice as many are.
  private static let fewest = 2_000
  /// The largest number of causes of an event.
  private static let deepest = 50

  private var events: [Int: Event] = [:]
  /// The work that has not ended, whose events cause others for as long as it takes.
  private var work: [Int: Event] = [:]
  private let writers = WriterNode()
  private var count = 0

  func note(_ event: TraceEvent, weight: Int, changing parts: [ChangedPart]) {
    guard let kind = Why.Step.Kind(event.kind) else { return }
    count += 1
    let new = Event(
      id: event.id, kind, event, weight: weight, cause: cause(of: event), order: count)
    if let id = event.id {
      events[id] = new
      if events.count > 2 * Self.fewest { events = events.filter { $0.key > id - Self.fewest } }
      switch event.kind {
      case .began: work[id] = new
      case .finished, .failed, .cancelled: work[event.work ?? event.cause ?? id] = nil
      default: break
      }
    }
    var parts = parts
    switch event.kind {
    case .derived(let name, _, _):
      parts.append(ChangedPart(Self.derived(name, in: event.child), .whole))
    case .lost: parts.append(ChangedPart([Self.derived], .unnamed))
    default: break
    }
    for part in parts { writers.note(part, by: new) }
  }

  /// Notes that something has changed, and that it is not known what.
  func noteLostChange() {
    count += 1
    let lost = Event(id: nil, .forgotten, nil, cause: nil, order: count)
    writers.note(ChangedPart([], .unnamed), by: lost)
  }

  private func cause(of event: TraceEvent) -> Event? {
    // Several events, each with a cause of its own, were lost.
    if case .lost = event.kind { return forgotten(nil) }
    guard let id = event.cause else { return nil }
    let cause = events[id] ?? work[id] ?? forgotten(id)
    // A loop that ticks forever would otherwise keep all of its events.
    return cause.depth < Self.deepest ? cause : forgotten(id)
  }

  private func forgotten(_ id: Int?) -> Event {
    Event(id: id, .forgotten, nil, cause: nil, order: 0)
  }

  /// All derived values, beside the properties of the state, which have other names.
  private static let derived = ChangedPart.Step.property("derived values")

  /// - Parameter child: where the derived value's store is in the outermost one, if it is a child.
  static func derived(_ name: String, in child: String?) -> [ChangedPart.Step] {
    [derived, .property("\(child ?? "") \(name)")]
  }

  func lastChange(of path: [ChangedPart.Step]) -> LastChange { writers.lastChange(of: path) }
}

/// What is known about the last change of a part.
enum LastChange {
  case event(History.Event)
  case none
  /// Something may have changed it since it was last known who did.
  case forgotten
}
