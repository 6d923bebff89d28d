internal import Signalbox

/// What `why` knows about a store: its latest events, and who changed each property last.
///
///     events   … 7 hook measured ◀── 8 celsius 20.0 → 17.0 ◀── 9 hook cold ◀── 10 isHeated …
///                                     ▲                                         ▲
///     writers  celsius ───────────────┘                    isHeated ────────────┘
///
/// An event keeps the event that caused it. So the causes of the last change of a property stay,
/// however long ago it was, while other events are forgotten.
@MainActor final class History {
  /// An event with its cause.
  final class Event {
    let id: Int?
    let kind: Why.Step.Kind
    let text: String
    let cause: Event?
    /// The number of causes.
    let depth: Int

    init(id: Int?, _ kind: Why.Step.Kind, _ text: String, cause: Event?) {
      self.id = id
      self.kind = kind
      self.text = text
      self.cause = cause
      depth = (cause?.depth ?? 0) + 1
    }
  }

  /// The largest number of events that are kept for the causes of later ones.
  private static let most = 2_000
  /// The largest number of causes of an event.
  private static let deepest = 50

  private var events: [Int: Event] = [:]
  /// The work that has not ended, whose events cause others for as long as it takes.
  private var work: [Int: Event] = [:]
  private let writers = WriterNode()

  /// Notes an event, which may cause others.
  func note(_ event: TraceEvent) {
    guard let (kind, text) = Why.Step.Kind.of(event.kind) else { return }
    let place = event.child.map { "\($0): " } ?? ""
    let new = Event(
      id: event.id, kind, place + text, cause: self.cause(of: event))
    if let id = event.id {
      events[id] = new
      switch event.kind {
      case .dispatched, .runStarted: work[id] = new
      case .finished, .failed, .cancelled, .runFinished, .runFailed, .runCancelled:
        work[event.work ?? event.cause ?? id] = nil
      default: break
      }
      if events.count > Self.most { events = events.filter { $0.key > id - Self.most / 2 } }
    }
    switch event.kind {
    case .changed(let edits), .lost(_, let edits):
      for edit in edits { writers.note(edit, by: new) }
    default: break
    }
  }

  private func cause(of event: TraceEvent) -> Event? {
    guard let id = event.cause else { return nil }
    let cause = events[id] ?? work[id] ?? Event(id: id, .forgotten, "…", cause: nil)
    // A loop that ticks forever would otherwise keep all of its events.
    return cause.depth < Self.deepest ? cause : Event(id: id, .forgotten, "…", cause: nil)
  }

  /// The last change of a part, as names of properties, or with ids of elements in brackets.
  func lastChange(of path: [String]) -> Event? { writers.lastChange(of: path[...]) }
}

/// Who changed a part of a state last, and the parts within it.
@MainActor private final class WriterNode {
  /// The largest number of elements that are told apart.
  private static let most = 1_000

  /// The last event that replaced the part as a whole.
  private var own: History.Event?
  /// The last event that changed the part or something within it.
  private var latest: History.Event?
  private var parts: [String: WriterNode] = [:]

  func note(_ edit: ValueEdit, by event: History.Event) {
    var node = self
    node.latest = event
    for step in edit.path {
      let name: String
      switch step {
      case .field(let label): name = label
      case .index(_, let id?): name = "[id: \(id)]"
      case .key(let key): name = "[id: \(key.idText)]"
      case .index(_, nil): return
      }
      node = node.part(name)
      node.latest = event
    }
    switch edit.change {
    case .replaced: node.own = event
    case .inserted, .removed, .text, .members: node.own = event
    case .elements(let elements):
      for element in elements.inserted {
        guard let id = element.value.id else { continue }
        let part = node.part("[id: \(id.idText)]")
        part.own = event
        part.latest = event
      }
    }
  }

  private func part(_ name: String) -> WriterNode {
    if let part = parts[name] { return part }
    // Of very many elements, those that changed last are told apart.
    if parts.count >= Self.most {
      let numbers = parts.values.map { $0.latest?.id ?? 0 }.sorted()
      let middle = numbers[numbers.count / 2]
      parts = parts.filter { $0.value.latest?.id ?? 0 > middle }
    }
    let part = WriterNode()
    parts[name] = part
    return part
  }

  func lastChange(of path: ArraySlice<String>) -> History.Event? {
    guard let name = path.first else { return latest }
    let inner = parts[name]?.lastChange(of: path.dropFirst())
    guard let own, own.id ?? 0 > inner?.id ?? -1 else { return inner }
    return own
  }
}

extension ValueTree {
  /// The `id` of an element, if it is a property.
  fileprivate var id: ValueTree? {
    guard case .record(let record) = self, record.caseName == nil else { return nil }
    return record.fields.first { $0.label == "id" }?.value
  }

  /// The text of an `id`, as in the place of a child.
  fileprivate var idText: String { text(room: 60) }
}
