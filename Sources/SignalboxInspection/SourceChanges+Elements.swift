import Signalbox

/// The changes of the elements of lists and sets, each with its statement.
extension SourceChanges {
  /// Adds the changes of a list; `false` if the value is no list or has to be changed as a whole.
  ///
  /// Changes of elements come last, because the statements run in this order.
  mutating func addElements(of node: Node, _ within: Change.Within) -> Bool {
    guard let (old, new) = node.change.values,
      let old = OptionalUnwrapping.core(of: old) as? any AnyList,
      let new = OptionalUnwrapping.core(of: new) as? any AnyList
    else { return false }
    let children = within.children.map { (index: $0, change: node.changes.all[$0]) }
    let changed = children.filter { $0.change.values != nil }
    guard
      !changed.isEmpty || within.unchanged > 0
        || old.length == 0 && assignment(of: node.change.values?.1, to: node) == nil
    else { return false }
    let isInPlace = children.allSatisfy { child in
      if case .index = child.change.key { child.change.values != nil } else { false }
    }
    let edits = isInPlace ? [] : ListEdits(from: old, to: new, DeepEquality()).edits
    let isVisible = isInPlace || Dump.veiled(new, node.change.cursors.new) == nil
    let statements = (isVisible ? node.innerCode : nil).flatMap { code in
      ListStatements(from: old, to: new, edits, target: "$0" + Self.dotted(code))
    }
    let (start, unstatedBefore) = (all.count, unstated.count)
    defer {
      if statements == nil {
        add(
          statement: assignment(of: node.change.values?.1, to: node), toChangesFrom: start,
          unstated: unstatedBefore, at: node.path)
      }
    }
    // A removal counts on those after it, an arrival on those before it.
    let ordered = children.sorted { $0.change.newIndex < $1.change.newIndex }
    for child in ordered.reversed() {
      guard case .index(let offset) = child.change.key, case .removed(let value) = child.change.kind
      else { continue }
      add(
        .removed(Self.line(of: value, child.change.cursors.old)), child.change, in: node,
        statements?.all[.removal(of: offset)])
    }
    for child in ordered {
      switch (child.change.key, child.change.kind) {
      case (.index(let offset), .inserted(let value)):
        add(
          .inserted(Self.line(of: value, child.change.cursors.new)), child.change, in: node,
          statements?.all[.arrival(at: offset)])
      case (.moved(let old, let offset), let kind):
        var text = ""
        let cursor = child.change.cursors.new
        if case .moved(let value) = kind, ElementName.identity(of: value, cursor) == nil {
          text = Self.line(of: value, cursor)
        }
        add(
          .moved(text, from: old, to: offset), child.change, in: node,
          statements?.all[.arrival(at: offset)])
      default: break
      }
    }
    for child in changed {
      guard case .index(let offset) = child.change.place else { continue }
      let name = ElementName.text("\(offset)", of: child.change.element, child.change.cursors.new)
      collect(node.child(child.index, name, code: statements == nil ? nil : "[\(offset)]"))
    }
    return true
  }

  private mutating func add(
    _ kind: PathChange.Kind, _ change: Change, in node: Node, _ statement: String?
  ) {
    let name =
      switch change.key {
      case .index(let offset): ElementName.text("\(offset)", of: change.element, change.cursors.new)
      case .moved(let old, let new):
        ElementName.text("\(old) → \(new)", of: change.element, change.cursors.new)
      default: ""
      }
    add(PathChange(path: node.inner + name, kind: kind, statement: statement))
  }

  /// Adds lost and new members; `false` if the value is no set or has to be changed as a whole.
  mutating func addMembers(of node: Node, _ within: Change.Within) -> Bool {
    guard let (old, new) = node.change.values,
      OptionalUnwrapping.core(of: old) is any AnySet,
      OptionalUnwrapping.core(of: new) is any AnySet,
      within.unchanged > 0
    else { return false }
    let children = within.children.map { node.changes.all[$0] }
    guard children.allSatisfy({ $0.values == nil }) else { return false }
    func statement(_ call: String, _ value: Any, _ cursor: RedactionCursor) -> String? {
      guard let code = node.innerCode, let text = SourceCode.text(of: value, cursor) else {
        return nil
      }
      return "$0\(Self.dotted(code)).\(call)(\(text))"
    }
    for child in children {
      let code: String?
      switch child.kind {
      case .removed(let value):
        code = statement("remove", value, child.cursors.old)
        add(.removed(Self.line(of: value, child.cursors.old)), child, in: node, code)
      case .inserted(let value):
        code = statement("insert", value, child.cursors.new)
        add(.inserted(Self.line(of: value, child.cursors.new)), child, in: node, code)
      default: continue
      }
      if code == nil { add(unstated: node.path) }
    }
    return true
  }
}

extension Change {
  /// The index of an element in the new list, or in the old one if it was removed.
  fileprivate var newIndex: Int {
    if case .index(let index) = place { index } else { 0 }
  }

  fileprivate var place: PartKey {
    if case .moved(_, let new) = key { .index(new) } else { key }
  }
}
