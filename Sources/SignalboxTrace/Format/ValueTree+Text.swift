package import SignalboxInspection

extension ValueTree {
  /// The value on one line of about `room` characters, as Swift source writes it.
  package func text(room: Int = 80) -> String {
    var writer = TextWriter(room: room)
    writer.write(self)
    return writer.text
  }
}

private struct TextWriter {
  var text = ""
  var room: Int
  private var isFull: Bool { text.utf8.count >= room }

  init(room: Int) { self.room = room }

  mutating func write(_ tree: ValueTree) {
    guard !isFull else {
      text += "…"
      return
    }
    switch tree {
    case .null: text += "nil"
    case .bool(let value): text += "\(value)"
    case .integer(let value): text += "\(value)"
    case .number(let number): text += number
    case .string(let string): write(quoted: string)
    case .text(let type, ""): text += "\(type)()"
    case .text(_, let string): text += string.prefix(room)
    case .list(_, let elements): list("[", elements, "]") { $0.write($1) }
    case .set(let members): list("[", members, "]") { $0.write($1) }
    case .dictionary(let entries) where entries.isEmpty: text += "[:]"
    case .dictionary(let entries):
      list("[", entries, "]") {
        $0.write($1.key)
        $0.text += ": "
        $0.write($1.value)
      }
    case .record(let record): write(record)
    case .some(let inner):
      text += ".some("
      write(inner)
      text += ")"
    case .redacted: text += "<redacted>"
    case .omitted: text += "…"
    }
  }

  private mutating func write(_ record: ValueTree.Record) {
    if let name = record.caseName {
      text += ".\(name)"
      if record.fields.isEmpty { return }
    } else if let type = record.type {
      // Readers know the types around it.
      text += type.split(separator: ".").last ?? ""
    }
    list("(", record.fields, ")") { writer, field in
      if let label = field.label { writer.text += "\(label): " }
      writer.write(field.value)
    }
  }

  private mutating func write(quoted string: String) {
    let left = max(8, room - text.utf8.count)
    let shown = string.prefix(left)
    text += "\"" + shown.debugDescription.dropFirst().dropLast()
    text += shown.endIndex == string.endIndex ? "\"" : "…\""
  }

  private mutating func list<T>(
    _ open: String, _ elements: [T], _ close: String, _ write: (inout Self, T) -> Void
  ) {
    text += open
    for (offset, element) in elements.enumerated() {
      if offset > 0 { text += ", " }
      guard !isFull else {
        text += "… \(elements.count - offset) more"
        break
      }
      write(&self, element)
    }
    text += close
  }
}

extension ValueEdit {
  /// The change on one line, as in `celsius 20.0 → 17.0`.
  package func text(room: Int = 80) -> String {
    let place = Self.text(of: path)
    let half = room / 2
    switch change {
    case .replaced(let old, let new):
      return "\(place) \(old.text(room: half)) → \(new.text(room: half))"
    case .inserted(let tree): return "+ \(place) \(tree.text(room: half))"
    case .removed(let tree): return "- \(place) \(tree.text(room: half))"
    case .elements(let elements):
      var parts = Self.first(elements.removed) {
        "- [\($0.index)] \($0.value.text(room: half))"
      }
      parts += Self.first(elements.moved) { "[\($0.old) → \($0.new)]" }
      parts += Self.first(elements.inserted) { "+ [\($0.index)] \($0.value.text(room: half))" }
      let count = elements.removed.count + elements.moved.count + elements.inserted.count
      return place + " " + Self.joined(parts, of: count)
    case .members(let removed, let inserted):
      let parts =
        Self.first(removed) { "- \($0.text(room: half))" }
        + Self.first(inserted) { "+ \($0.text(room: half))" }
      return place + " " + Self.joined(parts, of: removed.count + inserted.count)
    case .text(let offset, let old, let new):
      let texts = [old, new].map { ValueTree.string($0).text(room: half) }
      return "\(place) at \(offset) \(texts[0]) → \(texts[1])"
    }
  }

  private static let shown = 3

  private static func first<T>(_ parts: [T], _ text: (T) -> String) -> [String] {
    parts.prefix(shown).map(text)
  }

  private static func joined(_ parts: [String], of count: Int) -> String {
    let text = parts.prefix(shown).joined(separator: ", ")
    return count > shown ? "\(text), … \(count - shown) more" : text
  }

  /// A path as Swift writes it, as in `messages[3, id: 7].text`.
  package static func text(of path: [Step]) -> String {
    var text = ""
    for step in path {
      switch step {
      case .field(let name): text += text.isEmpty ? name : ".\(name)"
      case .index(let index, nil): text += "[\(index)]"
      case .index(let index, let id?): text += "[\(index), id: \(id)]"
      case .key(let key): text += "[\(key.text(room: 40))]"
      }
    }
    return text.isEmpty ? "state" : text
  }
}

extension [ValueEdit] {
  package func text(room: Int = 80) -> String {
    if isEmpty { return "no visible difference" }
    let shown = prefix(2).map { $0.text(room: room) }.joined(separator: ", ")
    return count > 2 ? "\(shown), … \(count - 2) more" : shown
  }
}
