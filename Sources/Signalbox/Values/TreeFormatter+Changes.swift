/// Formats changes, with `- ` and `+ ` before changed lines and the number of unchanged parts.
extension TreeFormatter {
  mutating func show(change index: Int, indent: Int) -> Bool {
    guard let change = changes?.all[index] else { return false }
    let (was, now) = change.cursors
    let label = inline.label(change.key, now, inLines: true, of: change.element)
    let context = Line(mark: "  ", indent: indent, label: label, cursor: now)
    let removed = Line(mark: "- ", indent: indent, label: label, cursor: was)
    let inserted = Line(mark: "+ ", indent: indent, label: label, cursor: now)
    switch change.kind {
    case .removed(let value): return show(value, removed, depth: change.depth)
    case .inserted(let value): return show(value, inserted, depth: change.depth)
    case .replaced(let old, let new, let notes):
      guard output.freeLines > 1 else { return false }
      let frame = Frame(
        content: .sides((old, was), (new, now), notes: notes), count: 2, line: inserted,
        depth: change.depth, close: nil)
      return open(frame, header: nil)
    case .retold(let old, let new): return show(old, new, removed, inserted)
    case .moved where change.element.flatMap({ ElementName.identity(of: $0, now) }) != nil:
      return add(context.start + label.dropLast(2))
    case .moved(let value):
      let room = min(60, output.freeBytes - context.text("").utf8.count - 1)
      return room > 20 && add(context.text(inline.clipped(value, now, room: room)))
    case .within(let within): return show(within, context, depth: change.depth)
    case .lines(let edits):
      let lines = edits.map { edit in
        switch edit {
        case .removed(let text): ("- ", Quoting.line(text))
        case .inserted(let text): ("+ ", Quoting.line(text))
        case .unchanged(let count): ("  ", "… \(count) unchanged")
        case .more(let count): ("  ", "… \(count) more")
        }
      }
      let frame = Frame(
        content: .lines(lines), count: lines.count, line: context, depth: change.depth,
        close: "\"\"\"")
      return open(frame, header: context.text("\"\"\""))
    case .cut(let parts):
      return add(context.text(parts.omitting("\(parts.count) more")))
    case .uncompared(let parts):
      return add(context.text(parts.omitting("too large to compare in full")))
    case .shown(let parts): return add(context.text(parts.omitting("shown above")))
    }
  }

  private mutating func show(_ old: String, _ new: String, _ was: Line, _ now: Line) -> Bool {
    // Both lines must fit, or none is written.
    let room = output.freeBytes / 2 - was.text("").utf8.count - 1
    guard output.freeLines > 1, room >= min(80, max(old.utf8.count, new.utf8.count)) else {
      return false
    }
    output.add(was.text(clip(old, room)))
    output.add(now.text(clip(new, room)))
    return true
  }

  private mutating func show(_ within: Change.Within, _ line: Line, depth: Int) -> Bool {
    let parts = within.parts
    let frame = Frame(
      content: .changes(within.children), count: within.children.count, line: line, depth: depth,
      close: parts.close, within: within)
    return open(frame, header: line.text(parts.open()))
      || add(line.text(parts.omitting("\(parts.count) more")))
  }
}
