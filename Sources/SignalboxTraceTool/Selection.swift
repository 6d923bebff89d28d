import SignalboxInspection
import SignalboxTrace

/// Which events are printed.
struct Selection: Equatable {
  var paths: [PathPattern] = []
  var actions: [String] = []
  var hooks: [String] = []
  var since: Double?

  private var isAnything: Bool { paths.isEmpty && actions.isEmpty && hooks.isEmpty }

  /// Whether an event is selected for what it says.
  func fits(_ event: TraceEvent) -> Bool {
    if let since, event.time < since { return false }
    if isAnything { return true }
    return paths.contains { path in event.kind.changes.contains { path.fits($0.path) } }
      || selectsEffects(of: event)
  }

  func selectsEffects(of event: TraceEvent) -> Bool {
    switch event.kind {
    case .hookFired(let name, _): hooks.contains(name)
    default: event.kind.actionNames.contains { actions.contains($0) }
    }
  }

  func fitsAsEffect(_ event: TraceEvent) -> Bool { since.map { event.time >= $0 } ?? true }
}

extension TraceEvent.Kind {
  var changes: [ValueEdit] {
    switch self {
    case .changed(let changes), .lost(_, let changes), .dropped(.change(let changes)): changes
    default: []
    }
  }

  var actionNames: [String] {
    switch self {
    case .began(let work), .finished(let work, _), .cancelled(let work, _), .failed(let work, _):
      work.tree.map { [$0.name] } ?? []
    case .unhandled(_, let action?), .dropped(.action(let action)): [action.name]
    default: []
    }
  }
}

extension ValueTree {
  /// The case of an action, or the name of a run.
  fileprivate var name: String {
    switch self {
    case .record(let record):
      record.caseName ?? record.type?.split(separator: ".").last.map(String.init) ?? ""
    case .string(let text): text
    default: text()
    }
  }
}

/// A part of the state, as in `rooms[id: 3].name`, or `rooms.name` for any room.
struct PathPattern: Equatable {
  enum Step: Equatable {
    case name(String)
    case index(Int)
    case id(String)
    case key(String)
  }

  let text: String
  private(set) var steps: [Step] = []

  init(_ text: String) throws(Misuse) {
    self.text = String(text.drop { $0 == "\\" || $0 == "." })
    var rest = self.text[...]
    while let first = rest.first {
      if first == "[" {
        guard let end = rest.firstIndex(of: "]") else { throw Misuse("\(text) lacks a ].") }
        steps.append(Self.element(rest[rest.index(after: rest.startIndex)..<end]))
        rest = rest[rest.index(after: end)...]
      } else {
        if first == "." { rest.removeFirst() }
        let name = rest.prefix { $0 != "." && $0 != "[" }
        guard !name.isEmpty else { throw Misuse("\(text) is no path such as rooms[id: 3].name.") }
        steps.append(.name(String(name)))
        rest = rest[name.endIndex...]
      }
    }
  }

  private static func element(_ text: Substring) -> Step {
    if let index = Int(text) { return .index(index) }
    let parts = text.split(separator: ":", maxSplits: 1)
    if parts.count == 2, parts[0] == "id" { return .id(String(parts[1].drop { $0 == " " })) }
    return .key(
      text.count > 1 && text.hasPrefix("\"") ? String(text.dropFirst().dropLast()) : "\(text)")
  }

  /// Whether a change at a path concerns the part: it is the part, within it, or around it.
  func fits(_ path: [ValueEdit.Step]) -> Bool {
    var rest = steps[...]
    for step in path {
      guard let first = rest.first else { return true }
      switch (first, step) {
      case (.name(let name), .field(let label)): guard name == label else { return false }
      // Any element, as in `rooms.name`.
      case (.name, _): continue
      case (.index(let wanted), .index(let index, _)): guard wanted == index else { return false }
      case (.id(let wanted), .index(_, let id)): guard wanted == id else { return false }
      case (.key(let wanted), .key(let key)): guard key.keyText == wanted else { return false }
      case (.index(let wanted), .key(.integer(let key))): guard wanted == key else { return false }
      default: return false
      }
      rest.removeFirst()
    }
    return true
  }
}

extension ValueTree {
  fileprivate var keyText: String {
    if case .string(let text) = self { text } else { text() }
  }
}
