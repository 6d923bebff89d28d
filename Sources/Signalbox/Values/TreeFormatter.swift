/// Formats values and changes as a tree with one part on each line, within limits.
///
/// Each open bracket is a frame on an explicit stack, so the depth of the values is not limited.
struct TreeFormatter {
  var output: BoundedText
  var inline = InlineFormatter()
  private var frames: [Frame] = []
  let changes: Changes?

  static func text(of value: Any, _ limits: Limits, _ redaction: Redaction) -> String {
    var tree = TreeFormatter(limits, nil)
    let line = Line(mark: "", indent: 0, label: "", cursor: RedactionCursor(redaction, at: value))
    if !tree.show(value, line, depth: 0) {
      tree.output.add(tree.inline.clipped(value, line.cursor, room: 40))
    }
    tree.run()
    return tree.output.finished()
  }

  static func text(of changes: Changes, _ limits: Limits) -> String {
    var tree = TreeFormatter(limits, changes)
    if !tree.show(change: 0, indent: 0) { tree.output.add("… 1 more") }
    tree.run()
    return tree.output.finished()
  }

  private init(_ limits: Limits, _ changes: Changes?) {
    output = BoundedText(limits)
    self.changes = changes
  }

  /// The text before and after a value.
  struct Line {
    let mark: String
    let indent: Int
    let label: String
    var note = ""
    let cursor: RedactionCursor

    func text(_ text: String) -> String { start + label + text }
    /// A line that is indented one level deeper.
    func inner(_ text: String) -> String {
      mark + Self.margin(indent + 1) + text
    }

    var start: String { mark + Self.margin(indent) }

    /// The indentation, which stops at 40 levels, where it would no longer be readable.
    private static func margin(_ indent: Int) -> String {
      String(repeating: "  ", count: min(indent, 40))
    }
  }

  /// An open bracket.
  struct Frame {
    enum Content {
      case parts((Int) -> Part)
      case changes([Int])
      case lines([(mark: String, text: String)])
      /// A removed value and the value that replaced it.
      case sides((Any, RedactionCursor), (Any, RedactionCursor), notes: (String, String))
    }

    let content: Content
    let count: Int
    let line: Line
    let depth: Int
    let close: String?
    /// The counts for the last line inside the bracket.
    var within: Change.Within?
    var next = 0
    var more = 0
    /// Space reserved for the closing line, and for the line that counts the omitted parts.
    var closing = Reservation()
    var rest = Reservation()
    var hold = Reservation()

    var restText: String? {
      if var within {
        within.more += more
        return within.rest
      }
      return more > 0 ? "… \(more) more" : nil
    }
  }

  // MARK: - The stack

  private mutating func run() {
    while let top = frames.indices.last {
      if frames[top].next == frames[top].count {
        close(top)
      } else {
        step(top)
      }
    }
  }

  private mutating func step(_ top: Int) {
    let frame = frames[top]
    frames[top].next += 1
    output.release(frame.hold)
    frames[top].hold = Reservation()
    // If the last part fits, no parts are omitted and the space for their count is free.
    let saysNothing = frame.next == frame.count - 1 && frame.restText == nil
    if saysNothing { output.release(frame.rest) }
    hold(for: frame.count - frame.next - 1, after: top)
    if showPart(frame.next, of: top) {
      if saysNothing { frames[top].rest = Reservation() }
    } else {
      if saysNothing { output.reserve(frame.rest) }
      frames[top].more = frame.count - frame.next
      frames[top].next = frame.count
    }
  }

  /// Reserves a line for each following part, up to half of the space, so that no part takes all.
  private mutating func hold(for following: Int, after top: Int) {
    guard following > 0 else { return }
    // At least two lines are for the part itself, for its old and its new value.
    let lines = max(0, output.freeLines - 2) / 2
    let bytes = max(0, output.freeBytes / 2)
    if case .sides = frames[top].content {
      frames[top].hold = Reservation(lines: max(0, output.freeLines / 2), bytes: bytes)
    } else {
      let count = min(following, lines)
      frames[top].hold = Reservation(lines: count, bytes: min(count * 80, bytes))
    }
    output.reserve(frames[top].hold)
  }

  private mutating func close(_ top: Int) {
    let frame = frames.removeLast()
    output.release(frame.closing)
    output.release(frame.rest)
    if let rest = frame.restText {
      // Two sides have no bracket of their own.
      output.add(frame.close == nil ? frame.line.text(rest) : frame.line.inner(rest))
    }
    if let close = frame.close { output.add(frame.line.start + close + frame.line.note) }
  }

  /// Opens a bracket, if there is space to close it.
  mutating func open(_ frame: Frame, header: String?) -> Bool {
    var frame = frame
    if let close = frame.close {
      frame.closing = .line(frame.line.start + close + frame.line.note)
    }
    if frame.count > 0 || frame.restText != nil {
      // Numbers of any length fit.
      var widest = "… 12345678901234567890 more, 12345678901234567890 unchanged"
      if frame.within?.uncompared ?? 0 > 0 {
        widest += ", 12345678901234567890 too large to compare in full"
      }
      frame.rest = .line(frame.close == nil ? frame.line.text(widest) : frame.line.inner(widest))
    }
    guard
      output.hasRoom((header.map { .line($0) } ?? Reservation()) + frame.closing + frame.rest)
    else { return false }
    if let header { output.add(header) }
    output.reserve(frame.closing)
    output.reserve(frame.rest)
    frames.append(frame)
    return true
  }

  private mutating func showPart(_ offset: Int, of top: Int) -> Bool {
    let frame = frames[top]
    let outer = frame.line
    switch frame.content {
    case .changes(let children): return show(change: children[offset], indent: outer.indent + 1)
    case .lines(let lines):
      let start = lines[offset].mark + outer.inner("").dropFirst(outer.mark.count)
      return add(start + clip(lines[offset].text, output.freeBytes - start.utf8.count - 1))
    case .parts(let part):
      let part = part(offset)
      let line = Line(
        mark: outer.mark, indent: outer.indent + 1,
        label: inline.label(part.key, outer.cursor, inLines: true),
        cursor: outer.cursor.into(part.key, part.value))
      return show(part.value, line, depth: frame.depth + 1)
    case .sides(let old, let new, let notes):
      let (value, cursor) = offset == 0 ? old : new
      let line = Line(
        mark: offset == 0 ? "- " : "+ ", indent: outer.indent, label: outer.label,
        note: offset == 0 ? notes.0 : notes.1, cursor: cursor)
      return show(value, line, depth: frame.depth)
    }
  }

  // MARK: - Lines

  mutating func add(_ line: String) -> Bool {
    guard output.hasRoom(.line(line)) else { return false }
    output.add(line)
    return true
  }

  func clip(_ text: String, _ room: Int) -> String {
    Quoting.clipped(text, room: min(output.limits.bytes / 4, room))
  }

  // MARK: - Values

  mutating func show(_ value: Any, _ line: Line, depth: Int) -> Bool {
    guard output.freeLines > 0 else { return false }
    inline.depth = max(0, output.limits.depth - depth)
    let free = output.freeBytes - line.start.utf8.count - line.note.utf8.count - 1
    let width = max(40, 100 - line.start.utf8.count)
    if let text = inline.whole(value, line.cursor, room: min(width, free), label: line.label) {
      output.add(line.start + text + line.note)
      return true
    }
    let room = min(output.limits.bytes / 4, free - line.label.utf8.count)
    switch ValueShape.at(value, line.cursor) {
    case .hidden: return false
    case .leaf(let text):
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      guard lines.count > 1 else {
        return add(line.text(inline.clipped(value, line.cursor, room: room)) + line.note)
      }
      return open(lines: lines.dropFirst().map(String.init), header: String(lines[0]), line, nil)
    case .text(let text):
      let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      guard lines.count > 1 else {
        return room >= 40 && add(line.text(Quoting.quoted(text, room: room)) + line.note)
      }
      let escaped = lines.map { Quoting.line(String($0)) }
      return open(lines: escaped, header: "\"\"\"", line, "\"\"\"")
    case .data(let data):
      return room >= 40 && add(line.text(Quoting.data(data, room: room)) + line.note)
    case .parts(let parts): return show(parts, line, depth: depth)
    }
  }

  private mutating func open(
    lines: [String], header: String, _ line: Line, _ close: String?
  ) -> Bool {
    let frame = Frame(
      content: .lines(lines.map { (line.mark, $0) }), count: lines.count, line: line, depth: 0,
      close: close)
    return open(frame, header: line.text(header))
  }

  private mutating func show(_ parts: ValueParts, _ line: Line, depth: Int) -> Bool {
    let before = inline.numbers
    guard let opening = inline.opening(parts) else {
      return add(line.text(inline.reference(to: parts)) + line.note)
    }
    let count = parts.count
    if count > 0, depth < output.limits.depth {
      let frame = Frame(
        content: .parts(parts.ordered()), count: count, line: line, depth: depth,
        close: parts.close)
      if open(frame, header: line.text(opening)) { return true }
    }
    let rest = count > 0 ? "… \(count) more" : ""
    if add(line.text(opening + rest + parts.close) + line.note) { return true }
    inline.numbers = before
    return false
  }
}
