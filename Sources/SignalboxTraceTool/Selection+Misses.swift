import SignalboxInspection
import SignalboxTrace

extension Selection {
  /// Sentences about the options that fit no event, with the nearest names that would.
  func misses(in events: [TraceEvent]) -> [String] {
    var sentences: [String] = []
    func check(_ option: String, _ name: String, fits: Bool, _ names: Set<String>) {
      if fits { return }
      let nearest = name.nearest(of: names).map { "The nearest is \($0)." }
      sentences.append("No event fits \(option) \(name). \(nearest ?? "There are none at all.")")
    }
    for path in paths {
      let changes = events.flatMap(\.kind.changes)
      check(
        "--state", path.names, fits: changes.contains { path.fits($0.path) },
        Set(changes.map { PathPattern(namesOf: $0.path).names }))
    }
    let actionNames = Set(events.flatMap(\.kind.actionNames))
    for action in actions {
      check("--action", action, fits: actionNames.contains(action), actionNames)
    }
    let hookNames = Set(
      events.compactMap { event in
        if case .hookFired(let name, _) = event.kind { name } else { nil }
      })
    for hook in hooks { check("--hook", hook, fits: hookNames.contains(hook), hookNames) }
    if sentences.isEmpty, !events.contains(where: fits), let since {
      let end = events.map(\.time).max() ?? 0
      sentences.append(
        "Nothing that fits happened from \(since) s on. The recording ends at \(end) s.")
    }
    return sentences
  }
}

extension PathPattern {
  /// The names of properties on a path.
  init(namesOf path: [ValueEdit.Step]) {
    self.init(
      steps: path.compactMap { step in
        if case .field(let name) = step { .name(name) } else { nil }
      })
  }

  /// The path as it is written, without quotation marks.
  var names: String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .name(let name): text += text.isEmpty ? name : ".\(name)"
      case .index(let index): text += "[\(index)]"
      case .id(let id): text += "[id: \(id)]"
      case .key(let key): text += "[\(key)]"
      }
    }
  }
}

extension String {
  /// The name that takes the fewest edits; of several, the first in the alphabet.
  func nearest(of names: Set<String>) -> String? {
    names.filter { !$0.isEmpty }.sorted().min { edits(to: $0) < edits(to: $1) }
  }

  /// The number of characters to insert, remove or replace, of which a change of case is half a one.
  private func edits(to other: String) -> Double {
    let (old, new) = (Array(self), Array(other))
    var row = (0...new.count).map(Double.init)
    for (line, character) in old.enumerated() {
      var diagonal = row[0]
      row[0] = Double(line + 1)
      for (column, wanted) in new.enumerated() {
        let isCase = character.lowercased() == wanted.lowercased()
        let cost = character == wanted ? 0 : isCase ? 0.5 : 1
        let next = Swift.min(diagonal + cost, row[column] + 1, row[column + 1] + 1)
        diagonal = row[column + 1]
        row[column + 1] = next
      }
    }
    return row[new.count]
  }
}
