/// Formats changes as paths, one line for each change, within limits.
package struct Paths {
  private let changes: Changes
  private let limits: Limits
  private var inline = InlineFormatter()

  static func lines(of changes: Changes, _ limits: Limits) -> [String] {
    let (all, more) = list(of: changes, within: 0, at: "", limits)
    return limited(all.map(\.line), more, limits)
  }

  /// The changes within a node at a path, and the number of those that exceed the limits.
  package static func list(
    of changes: Changes, within node: Int, at prefix: String, _ limits: Limits
  ) -> (all: [PathChange], more: Int) {
    var paths = Paths(changes: changes, limits: limits)
    return paths.list(within: node, at: prefix)
  }

  private mutating func list(within node: Int, at prefix: String) -> (all: [PathChange], more: Int)
  {
    var all: [PathChange] = []
    var more = 0
    var work = [node]
    while let index = work.popLast() {
      let change = changes.all[index]
      if case .within(let within) = change.kind {
        work += within.children.reversed()
        more += within.more
        if within.uncompared > 0 {
          let kind = PathChange.Kind.other("… \(within.uncompared) too large to compare in full")
          all.append(PathChange(path: prefix + path(to: index, within: node), kind: kind))
        }
      } else {
        let path = prefix + path(to: index, within: node)
        let name = path.hasPrefix(".") ? String(path.dropFirst()) : path
        all += kinds(of: change).map { PathChange(path: name, kind: $0) }
      }
    }
    if all.isEmpty, more == 0, let (old, new) = changes.all[node].values {
      // Objects in a cycle may differ only by their `==`, which no path inside shows.
      let (was, now) = changes.all[node].cursors
      let text = clipped(old, was)
      let note = " (not equal, though it looks the same)"
      all = [PathChange(path: prefix, kind: .replaced(text, clipped(new, now) + note))]
    }
    return (all, more)
  }

  private static func limited(_ all: [String], _ more: Int, _ limits: Limits) -> [String] {
    var lines: [String] = []
    var bytes = limits.bytes
    for (offset, line) in all.enumerated() {
      bytes -= line.utf8.count + 1
      let isLast = offset == all.count - 1 && more == 0
      // Leaves space for the line that counts the rest.
      guard bytes >= (isLast ? -1 : 32), lines.count < max(1, limits.lines) - (isLast ? 0 : 1)
      else {
        bytes += line.utf8.count + 1
        return lines + [rest(all.count - offset + more, bytes)]
      }
      lines.append(line)
    }
    return more > 0 ? lines + [rest(more, bytes)] : lines
  }

  private static func rest(_ count: Int, _ bytes: Int) -> String {
    String("… \(count) more".unicodeScalars.prefix(fitting: max(0, bytes)))
  }

  private mutating func kinds(of change: Change) -> [PathChange.Kind] {
    let (was, now) = change.cursors
    switch change.kind {
    case .within, .shown: return []
    case .removed(let value): return [.removed(clipped(value, was))]
    case .inserted(let value): return [.inserted(clipped(value, now))]
    case .moved(let value):
      // The path names an element that has an `id`.
      let isNamed = ElementName.identity(of: value, now) != nil
      let text = isNamed ? "" : inline.clipped(value, now, room: 60)
      if case .moved(let from, let to) = change.key { return [.moved(text, from: from, to: to)] }
      return [.other(text)]
    case .replaced(let old, let new, let notes):
      let oldText = clipped(old, was) + notes.0
      let newText = clipped(new, now) + notes.1
      // The difference is in what was cut.
      let note = oldText == newText && newText != Redaction.text ? " (not equal further on)" : ""
      return [.replaced(oldText, newText + note)]
    case .retold(let old, let new):
      // 900 bytes suffice for a short text in which every character is escaped.
      return [.replaced(inline.clipped(old, room: 900), inline.clipped(new, room: 900))]
    case .cut(let parts): return [.other(parts.omitting("\(parts.count) more"))]
    case .uncompared(let parts):
      return [.other(parts.omitting("too large to compare in full"))]
    case .lines(let edits):
      return edits.compactMap { edit in
        switch edit {
        case .removed(let line): .removed(Quoting.quoted(line, room: 400))
        case .inserted(let line): .inserted(Quoting.quoted(line, room: 400))
        case .unchanged: nil
        case .more(let count): .other("… \(count) more")
        }
      }
    }
  }

  private mutating func clipped(_ value: Any, _ cursor: RedactionCursor) -> String {
    inline.depth = limits.depth
    return inline.clipped(value, cursor, room: 200)
  }

  /// The path from one node to another one inside it, with a dot before a name.
  private mutating func path(to index: Int, within node: Int) -> String {
    var pieces: [String] = []
    var index = index
    while index >= 0 {
      let change = changes.all[index]
      if case .within(let within) = change.kind, let name = within.parts.caseName {
        pieces.append(".\(name)")
      }
      if index == node { break }
      switch change.key {
      case .none:
        let identity = change.element.flatMap { ElementName.identity(of: $0, change.cursors.new) }
        if let identity { pieces.append("[id: \(identity)]") }
      case .name(let name): pieces.append(".\(name)")
      case .position(let offset): pieces.append(".\(offset)")
      case .index(let offset):
        pieces.append(ElementName.text("\(offset)", of: change.element, change.cursors.new))
      case .moved(let old, let new):
        let place = "\(old) → \(new)"
        pieces.append(ElementName.text(place, of: change.element, change.cursors.new))
      case .entry(let key):
        let cursor = change.cursors.new.into(nil, key)
        pieces.append("[\(inline.clipped(key, cursor, room: 200))]")
      }
      index = change.parent
    }
    return pieces.reversed().joined()
  }
}
