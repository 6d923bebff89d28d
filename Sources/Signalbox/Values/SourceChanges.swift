/// Formats changes as Swift source, each with the statement that makes it.
///
///     messages[3].text: "hi" → "hello"      $0.messages[3].text = "hello"
///     items[4..<4]: [] → [7]                $0.items.append(7)
///     phase: .idle → .loaded(2)             $0.phase = .loaded(2)
///
/// A list whose length has changed, a set and an enum are one change, because one statement changes
/// them. If the line of a change is too long or does not show the difference, the paths inside the
/// change are shown instead.
package struct SourceChanges {
  package private(set) var all: [PathChange] = []
  /// The number of changes that exceed the limits.
  package private(set) var more = 0

  /// The limits of each tree of changes.
  ///
  /// The limit of lines suffices for a text of several lines. The limit of depth keeps `collect`
  /// from recursing deeply.
  static let limits = Limits(depth: 24, lines: 200)
  /// The number of bytes of the longest line that is not replaced by the paths inside the change.
  private static let long = 160

  /// No changes.
  init() {}

  /// Compares two values.
  package init(from old: Any, to new: Any) {
    add(from: old, to: new, at: "", (RedactionCursor(at: old), RedactionCursor(at: new)))
  }

  mutating func add(_ change: PathChange) { all.append(change) }

  mutating func add(missing value: Any, at path: String, _ cursor: RedactionCursor) {
    all.append(PathChange(path: path, kind: .removed(Self.line(of: value, cursor))))
  }

  mutating func add(unexpected value: Any, at path: String, _ cursor: RedactionCursor) {
    all.append(PathChange(path: path, kind: .inserted(Self.line(of: value, cursor))))
  }

  /// The value on one line, with the number of the parts that don't fit.
  private static func line(of value: Any, _ cursor: RedactionCursor) -> String {
    let text = SourceFormatter.text(of: value, cursor)
    if text.utf8.count <= long { return text }
    var inline = InlineFormatter()
    return inline.clipped(value, cursor, room: 200)
  }

  /// Adds the changes of one part.
  mutating func add(
    from old: Any, to new: Any, at path: String,
    _ cursors: (old: RedactionCursor, new: RedactionCursor)
  ) {
    guard let changes = Changes(from: old, to: new, Self.limits, cursors) else { return }
    let root = Node(changes: changes, index: 0, path: path)
    let count = all.count + more
    collect(root)
    // Objects in a cycle may differ only by their `==`, which no part of them shows.
    if all.count + more == count { addWhole(root) }
  }

  /// A node of the tree of changes, and its path.
  private struct Node {
    let changes: Changes
    let index: Int
    let path: String
    /// Whether the path leads to an entry of a dictionary, which may be missing.
    var isEntry = false

    var change: Change { changes.all[index] }

    /// The path to continue, with a `?` for each optional.
    var inner: String {
      let path = isEntry ? path + "?" : path
      return change.values.map { path + OptionalUnwrapping.marks(of: $0.1) } ?? path
    }

    func child(_ index: Int, _ path: String, isEntry: Bool = false) -> Node {
      Node(changes: changes, index: index, path: path, isEntry: isEntry)
    }
  }

  private mutating func collect(_ node: Node) {
    switch node.change.kind {
    case .pending, .same, .shown: break
    case .within(let within):
      if let children = children(of: node, within) {
        for child in children { collect(child) }
        more += within.more
      } else if !addSlice(of: node) {
        addWhole(node)
      }
    case .removed(let value): add(node, value, nil)
    case .inserted(let value): add(node, nil, value)
    case .replaced(let old, let new, let notes): add(node, old, new, notes)
    case .retold, .lines, .cut, .uncompared, .moved: addWhole(node)
    }
  }

  /// The changed parts of a value that one statement each can change.
  ///
  /// `nil` if one statement has to change the value as a whole.
  private func children(of node: Node, _ within: Change.Within) -> [Node]? {
    let inner = node.inner
    var children: [Node] = []
    for index in within.children {
      let change = node.changes.all[index]
      switch (within.parts.children, change.key) {
      case (.fields, .name(let name)) where within.parts.caseName == nil:
        children.append(node.child(index, inner.isEmpty ? name : "\(inner).\(name)"))
      case (.fields, .position(let offset)) where within.parts.caseName == nil:
        children.append(node.child(index, inner.isEmpty ? "\(offset)" : "\(inner).\(offset)"))
      case (.list, .index(let offset)) where change.values != nil && isSameLength(node.change):
        children.append(node.child(index, "\(inner)[\(offset)]"))
      case (.entries, .entry(let key)):
        let name = SourceFormatter.text(of: key, change.cursors.new.into(nil, key))
        children.append(node.child(index, "\(inner)[\(name)]", isEntry: true))
      default: return nil
      }
    }
    return children
  }

  private func isSameLength(_ change: Change) -> Bool {
    guard let (old, new) = lists(of: change) else { return true }
    return old.length == new.length
  }

  private func lists(of change: Change) -> (old: any AnyList, new: any AnyList)? {
    guard let (old, new) = change.values,
      let old = OptionalUnwrapping.core(of: old) as? any AnyList,
      let new = OptionalUnwrapping.core(of: new) as? any AnyList
    else { return nil }
    return (old, new)
  }

  // MARK: - Changes

  private mutating func addWhole(_ node: Node) {
    guard let (old, new) = node.change.values else { return }
    add(node, old, new)
  }

  private mutating func add(
    _ node: Node, _ old: Any?, _ new: Any?, _ notes: (String, String) = ("", "")
  ) {
    let (was, now) = node.change.cursors
    let oldText = old.map { SourceFormatter.text(of: $0, was) } ?? "nil"
    let newText = new.map { SourceFormatter.text(of: $0, now) } ?? "nil"
    let isHidden = new.map { Dump.veiled($0, now) != nil } ?? false
    // Plain `nil` would remove the entry.
    let isNilEntry = node.isEntry && new != nil && newText == "nil"
    let statement =
      isHidden || node.path.contains(Redaction.text)
      ? nil : "$0\(Self.dotted(node.path)) = \(isNilEntry ? ".some(nil)" : newText)"
    add(node, at: node.path, oldText + notes.0, newText + notes.1, statement)
  }

  /// Adds the change of the middle of a list, as one statement.
  ///
  /// - Returns: whether a part of the list is unchanged.
  private mutating func addSlice(of node: Node) -> Bool {
    guard let (old, new) = lists(of: node.change), old.length > 0, new.length > 0,
      let (head, tail) = old.ends(with: new, DeepEquality()), head + tail > 0
    else { return false }
    let range = head..<(old.length - tail)
    let gone = range.map { old.item($0) }
    let come = (head..<(new.length - tail)).map { new.item($0) }
    let cursors = node.change.cursors
    let (was, now) = (cursors.old.into(nil, gone), cursors.new.into(nil, come))
    let text = SourceFormatter.text(of: come, now)
    let list = node.inner
    let target = "$0\(Self.dotted(list))"
    let statement =
      if come.isEmpty {
        "\(target).removeSubrange(\(range))"
      } else if head == old.length, come.count == 1 {
        "\(target).append(\(text.dropFirst().dropLast()))"
      } else if head == old.length {
        "\(target) += \(text)"
      } else {
        "\(target)[\(range)] = \(text)"
      }
    add(
      node, at: "\(list)[\(range)]", SourceFormatter.text(of: gone, was), text,
      Dump.veiled(come, now) == nil ? statement : nil)
    return true
  }

  /// Adds a change as one line, or as the paths inside it if the line is too long or does not show
  /// the difference.
  private mutating func add(
    _ node: Node, at path: String, _ old: String, _ new: String, _ statement: String?
  ) {
    let whole = PathChange(path: path, kind: .replaced(old, new), statement: statement)
    // The text after a `…` only counts what is not shown.
    let isTelling =
      old.prefix { $0 != "…" } != new.prefix { $0 != "…" } || old == Redaction.text
    guard !isTelling || whole.line.utf8.count > Self.long else { return all.append(whole) }
    var (inside, rest) = Paths.list(
      of: node.changes, within: node.index, at: node.path, Self.limits)
    if inside.isEmpty { inside = [whole] }
    inside[0].statement = statement
    all += inside
    more += rest
  }

  private static func dotted(_ path: String) -> String {
    path.isEmpty || path.hasPrefix("[") || path.hasPrefix("?") ? path : ".\(path)"
  }
}
