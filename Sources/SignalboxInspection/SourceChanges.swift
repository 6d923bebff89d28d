package import Signalbox

/// Formats changes as Swift source, each with the statement that makes it.
///
///     messages[3, id: 7].text: "a" → "b"    $0.messages[3].text = "b"
///     + items[4]: 7                         $0.items.append(7)
///     phase: .idle → .loaded(2)             $0.phase = .loaded(2)
///
/// An enum is one change, as is a list or a set of which nothing is left. The paths inside replace
/// a line that is long or shows no difference. A statement that may not compile is left out (T11).
package struct SourceChanges {
  package private(set) var all: [PathChange] = []
  /// The number of changes that exceed the limits.
  package private(set) var more = 0
  /// The paths of the changes that no statement makes.
  private(set) var unstated: [String] = []

  /// Enough lines for a text of several lines, and a depth that bounds the recursion of `collect`.
  static let limits = Limits(depth: 24, lines: 200)
  /// The number of bytes of the longest line that is not replaced by the paths inside the change.
  static let long = 160

  init() {}

  package init(from old: Any, to new: Any) {
    add(from: old, to: new, at: "", (RedactionCursor(at: old), RedactionCursor(at: new)))
  }

  /// Code that makes all changes; empty if there is none for any of them, or if they are too many.
  package var statements: [String] {
    let code = all.compactMap(\.statement)
    if code.isEmpty || more > 0 { return [] }
    return code + unstated.map { "// \($0.isEmpty ? "state" : $0) has changed, too" }
  }

  mutating func add(_ change: PathChange) { all.append(change) }

  mutating func add(unstated path: String) { unstated.append(path) }

  /// Gives the changes of a list from an index on one statement, which makes them all.
  mutating func add(
    statement: String?, toChangesFrom index: Int, unstated count: Int, at path: String
  ) {
    guard all.indices.contains(index) else { return }
    unstated.removeSubrange(count...)
    if statement == nil { unstated.append(path) }
    if all[index].statement == nil { all[index].statement = statement }
  }

  mutating func add(missing value: Any, at path: String, _ cursor: RedactionCursor) {
    all.append(PathChange(path: path, kind: .removed(Self.line(of: value, cursor))))
  }

  static func line(of value: Any, _ cursor: RedactionCursor) -> String {
    let text = SourceFormatter.text(of: value, cursor)
    if text.utf8.count <= long { return text }
    return InlineFormatter.line(of: value, cursor, room: 200)
  }

  mutating func add(
    from old: Any, to new: Any, at path: String,
    _ cursors: (old: RedactionCursor, new: RedactionCursor)
  ) {
    guard let changes = Changes(from: old, to: new, Self.limits, cursors) else { return }
    let root = Node(changes: changes, index: 0, path: path, code: path)
    let count = all.count + more
    collect(root)
    // Objects in a cycle may differ only by their `==`, which no part of them shows.
    if all.count + more == count { addWhole(root) }
  }

  /// A node of the tree of changes, and its path.
  struct Node {
    let changes: Changes
    let index: Int
    let path: String
    /// The path in a statement; `nil` if a statement cannot assign to it.
    let code: String?
    /// Whether the path leads to an entry of a dictionary, which may be missing.
    var isEntry = false
    /// Whether the place has another type than the value, so that no path leads into it.
    var isErased = false

    var change: Change { changes.all[index] }

    var marks: String {
      (isEntry ? "?" : "") + (change.values.map { OptionalUnwrapping.marks(of: $0.1) } ?? "")
    }
    var inner: String { path + marks }
    /// `nil` if a change inside would change a shared object, or if the parts are not properties.
    var innerCode: String? {
      guard !isErased, let core = change.values.flatMap({ OptionalUnwrapping.core(of: $0.1) }),
        !(type(of: core) is AnyClass), Dump.isKnown(core) || !(core is any CustomReflectable)
      else { return nil }
      return code.map { $0 + marks }
    }

    func child(
      _ index: Int, _ name: String, code: String?, isEntry: Bool = false, isErased: Bool = false
    ) -> Node {
      Node(
        changes: changes, index: index, path: Self.joined(inner, name),
        code: code.flatMap { code in innerCode.map { Self.joined($0, code) } }, isEntry: isEntry,
        isErased: isErased)
    }

    private static func joined(_ path: String, _ name: String) -> String {
      path.isEmpty || name.hasPrefix("[") ? path + name : "\(path).\(name)"
    }
  }

  mutating func collect(_ node: Node) {
    switch node.change.kind {
    case .shown: break
    case .within(let within):
      if addElements(of: node, within) || addMembers(of: node, within) {
        more += within.more
      } else if !node.isErased, let children = children(of: node, within) {
        for child in children { collect(child) }
        more += within.more
      } else {
        addWhole(node)
      }
    case .removed(let value): add(node, value, nil)
    case .inserted(let value): add(node, nil, value)
    case .replaced(let old, let new, let notes): add(node, old, new, notes)
    case .retold, .lines, .cut, .uncompared, .moved: addWhole(node)
    }
  }

  /// The parts that one statement each can change; `nil` if only the whole can be assigned.
  private func children(of node: Node, _ within: Change.Within) -> [Node]? {
    var children: [Node] = []
    for index in within.children {
      let change = node.changes.all[index]
      switch (within.parts.children, change.key) {
      case (.fields, .name(let name)) where within.parts.caseName == nil:
        let core = node.change.values.flatMap { OptionalUnwrapping.core(of: $0.1) }
        // These are hardly ever variables, so another value is assigned.
        let isConstant =
          name == "id" && core is any Identifiable
          || name == "rawValue" && core is any RawRepresentable
        if isConstant, assignment(of: node.change.values?.1, to: node) != nil { return nil }
        let isProperty = SourceCode.isIdentifier(name) && !name.hasPrefix("_") && !isConstant
        let isErased = SourceCode.isErased(name, of: core, holding: change.values?.1)
        children.append(
          node.child(index, name, code: isProperty ? name : nil, isErased: isErased))
      case (.fields, .position(let offset)) where within.parts.caseName == nil:
        children.append(node.child(index, "\(offset)", code: "\(offset)"))
      case (.entries, .entry(let key)):
        let cursor = change.cursors.new.into(nil, key)
        let name = SourceFormatter.text(of: key, cursor)
        let code = SourceCode.text(of: key, cursor)
        children.append(
          node.child(index, "[\(name)]", code: code.map { "[\($0)]" }, isEntry: true))
      default: return nil
      }
    }
    return children
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
    add(
      node, at: node.path, oldText + notes.0, newText + notes.1, assignment(of: new, to: node))
  }

  func assignment(of value: Any?, to node: Node) -> String? {
    guard let code = node.code else { return nil }
    let target = "$0\(Self.dotted(code)) = "
    guard let value else { return target + "nil" }
    guard
      let text = SourceCode.text(of: value, node.change.cursors.new, isTyped: node.isErased)
    else { return nil }
    // Plain `nil` would remove the entry.
    return target + (node.isEntry && SourceCode.meansOptional(text) ? ".some(\(text))" : text)
  }

  private mutating func add(
    _ node: Node, at path: String, _ old: String, _ new: String, _ statement: String?
  ) {
    let whole = PathChange(path: path, kind: .replaced(old, new), statement: statement)
    if statement == nil { unstated.append(path) }
    // The text after a `…` only counts what is not shown.
    let isTelling = old.prefix { $0 != "…" } != new.prefix { $0 != "…" } || old == Redaction.text
    guard !isTelling || whole.line.utf8.count > Self.long else { return all.append(whole) }
    var (inside, rest) = Paths.list(
      of: node.changes, within: node.index, at: node.path, Self.limits)
    if inside.isEmpty { inside = [whole] }
    inside[0].statement = statement
    all += inside
    more += rest
  }

  static func dotted(_ path: String) -> String {
    path.isEmpty || path.hasPrefix("[") || path.hasPrefix("?") ? path : ".\(path)"
  }
}

extension OptionalUnwrapping {
  /// A `?` for each optional around the value, as a path through them needs it.
  static func marks(of value: Any) -> String {
    guard let optional = value as? any AnyOptional, let inner = optional.wrapped else { return "" }
    return "?" + marks(of: inner)
  }
}
