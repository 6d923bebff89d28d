/// Formats values on one line, with recursion no deeper than the number of brackets that fit.
package struct InlineFormatter {
  /// The numbers of the objects that have been written.
  var numbers: [ObjectIdentifier: Int] = [:]
  var depth = Limits.standard.depth

  /// As much of a value as fits on one line.
  package static func line(of value: Any, _ cursor: RedactionCursor, room: Int) -> String {
    var inline = InlineFormatter()
    return inline.clipped(value, cursor, room: room)
  }

  /// The whole value, or `nil` if it does not fit.
  mutating func whole(
    _ value: Any, _ cursor: RedactionCursor, room: Int, level: Int = 0, label: String = ""
  ) -> String? {
    let before = numbers
    guard let text = write(value, cursor, room: room - label.utf8.count, level: level) else {
      numbers = before
      return nil
    }
    return label + text
  }

  private mutating func write(_ value: Any, _ cursor: RedactionCursor, room: Int, level: Int)
    -> String?
  {
    guard room > 0, level < 64 else { return nil }
    let text: String
    switch ValueShape.at(value, cursor) {
    case .hidden: text = Redaction.text
    case .leaf(let leaf):
      guard !leaf.utf8.contains(10) else { return nil }
      text = leaf
    case .text(let string):
      guard string.utf8.count <= room else { return nil }
      text = Quoting.quoted(string)
    case .data(let data):
      guard data.count <= room / 2 else { return nil }
      text = Quoting.data(data)
    case .parts(let parts): return write(parts, cursor, room: room, level: level)
    }
    return text.utf8.count <= room ? text : nil
  }

  private mutating func write(
    _ parts: ValueParts, _ cursor: RedactionCursor, room: Int, level: Int
  ) -> String? {
    guard let open = opening(parts) else { return reference(to: parts) }
    let count = parts.count
    if count > 0, level >= depth { return "\(open)… \(count) more\(parts.close)" }
    // Each part takes at least a character, a comma and a space.
    guard count <= room / 3 + 1 else { return nil }
    var text = open
    let part = parts.ordered()
    for offset in 0..<count {
      if offset > 0 { text += ", " }
      let part = part(offset)
      let into = cursor.into(part.key, part.value)
      text += label(part.key, cursor)
      guard
        let inner = write(
          part.value, into, room: room - text.utf8.count - parts.close.count, level: level + 1)
      else { return nil }
      text += inner
    }
    if count == 0, case .entries = parts.children { text += ":" }
    text += parts.close
    return text.utf8.count <= room ? text : nil
  }

  mutating func clipped(_ value: Any, _ cursor: RedactionCursor, room: Int, level: Int = 0)
    -> String
  {
    if let whole = whole(value, cursor, room: room, level: level) { return whole }
    switch ValueShape.at(value, cursor) {
    case .hidden: return Redaction.text
    case .leaf(let leaf): return clipped(leaf, room: room)
    case .text(let string): return Quoting.quoted(string, room: room)
    case .data(let data): return Quoting.data(data, room: room)
    case .parts(let parts):
      guard var text = opening(parts) else { return reference(to: parts) }
      let count = parts.count
      let part = parts.ordered()
      var shown = 0
      while shown < count, level < 16 {
        let part = part(shown)
        let into = cursor.into(part.key, part.value)
        let label = (shown > 0 ? ", " : "") + label(part.key, cursor)
        let room = room - text.utf8.count - 24
        if let inner = whole(part.value, into, room: room, level: level + 1, label: label) {
          text += inner
          shown += 1
        } else {
          guard shown == 0, room > 60 else { break }
          text +=
            label
            + clipped(part.value, into, room: room - label.utf8.count, level: level + 1)
          shown += 1
        }
      }
      if shown < count { text += (shown > 0 ? ", " : "") + "… \(count - shown) more" }
      return text + parts.close
    }
  }

  func clipped(_ text: String, room: Int) -> String {
    let line = text.utf8.contains(10) ? text.replacing("\n", with: "\\n") : text
    return Quoting.clipped(line, room: room)
  }

  /// - Parameters:
  ///   - cursor: any cursor within the same value. No redacted path leads to a key.
  ///   - inLines: whether each part has a line of its own, so that elements show their index.
  mutating func label(
    _ key: PartKey, _ cursor: RedactionCursor, inLines: Bool = false, of element: Any? = nil
  ) -> String {
    switch key {
    case .position: ""
    case .none:
      element.flatMap { ElementName.identity(of: $0, cursor) }.map { "[id: \($0)]: " } ?? ""
    case .name(let name): name + ": "
    case .index(let index): inLines ? ElementName.text("\(index)", of: element, cursor) + ": " : ""
    case .moved(let old, let new): ElementName.text("\(old) → \(new)", of: element, cursor) + ": "
    case .entry(let key): clipped(key, cursor.into(nil, key), room: 200) + ": "
    }
  }

  /// The opening of the parts; `nil` if they belong to an object that has been written before.
  mutating func opening(_ parts: ValueParts) -> String? {
    guard let object = parts.object else { return parts.open() }
    guard numbers[object] == nil else { return nil }
    numbers[object] = numbers.count + 1
    return parts.open(" #\(numbers.count)")
  }

  func reference(to parts: ValueParts) -> String {
    guard let object = parts.object, let number = numbers[object] else { return parts.name }
    return "\(parts.name) #\(number)"
  }
}
