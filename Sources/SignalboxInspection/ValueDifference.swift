import Signalbox

/// Finds the edits that lead from one value to another, and reads only the parts that differ.
package enum ValueDifference {
  /// The number of parts that are read by reflection before a part is replaced as a whole.
  private static let effort = 60_000

  /// The edits, which contain nothing redacted (D4), and the parts that differ.
  ///
  /// - Parameter room: the number of parts in the edits. What exceeds it is left out.
  package static func changes(
    from old: Any, to new: Any, room: Int = ValueTree.mostParts
  ) -> (edits: [ValueEdit], parts: [ChangedPart]) {
    let redaction = Redaction.current
    if let changes = LayoutDifference.changes(from: old, to: new, redaction, room: room) {
      return changes
    }
    let cursors = (RedactionCursor(redaction, at: old), RedactionCursor(redaction, at: new))
    return changes(from: old, to: new, cursors, at: EditCollector.Place(), room: room)
  }

  static func changes(
    from old: Any, to new: Any, _ cursors: (old: RedactionCursor, new: RedactionCursor),
    at place: EditCollector.Place, room: Int
  ) -> (edits: [ValueEdit], parts: [ChangedPart]) {
    guard let changes = Changes(from: old, to: new, .unlimited, cursors, effort: effort) else {
      return ([], [])
    }
    var collector = EditCollector(changes: changes, room: room)
    collector.collect(0, at: place, depth: place.path.count)
    return (collector.edits, collector.parts)
  }
}

/// Turns the nodes of a tree of changes into edits.
struct EditCollector {
  struct Place {
    var path: [ValueEdit.Step] = []
    /// The steps of a `ChangedPart`; `nil` if something around the node has no name.
    var steps: [ChangedPart.Step]? = []

    func at(_ step: ValueEdit.Step, _ name: ChangedPart.Step?) -> Place {
      Place(path: path + [step], steps: name.flatMap { name in steps.map { $0 + [name] } })
    }
  }

  private let changes: Changes
  private var room: Int
  private(set) var edits: [ValueEdit] = []
  private(set) var parts: [ChangedPart] = []

  init(changes: Changes, room: Int) {
    self.changes = changes
    self.room = room
  }

  mutating func collect(_ index: Int, at place: Place, depth: Int) {
    // Deeper parts are not in the trees.
    guard depth < ValueTree.mostLevels else { return note(place, .unnamed) }
    let change = changes.all[index]
    switch change.kind {
    case .moved, .inserted, .removed: return
    case .shown: note(place, .unnamed)
    case .within(let within):
      if !within.isComplete { return replace(change, at: place, depth) }
      switch within.parts.children {
      case .fields(let fields): collect(within, fields, change, at: place, depth: depth)
      case .list: collectElements(within, change, at: place, depth: depth)
      case .members: collectMembers(within, change, at: place, depth: depth)
      case .entries: collectEntries(within, change, at: place, depth: depth)
      }
    case .replaced, .retold, .lines, .cut, .uncompared: replace(change, at: place, depth)
    }
  }

  private mutating func note(_ place: Place, _ extent: ChangedPart.Extent) {
    if let steps = place.steps { parts.append(ChangedPart(steps, extent)) }
  }

  private mutating func note(element identity: AnyHashable?, of place: Place) {
    guard let steps = place.steps else { return }
    parts.append(
      identity.map { ChangedPart(steps + [.element($0)], .whole) } ?? ChangedPart(steps, .unnamed))
  }

  /// The number of elements of a collection that are named in one commit.
  private static let mostNamed = 1_000

  /// The place of a collection, without steps if too many of its elements have changed.
  private mutating func naming(_ count: Int, in place: Place) -> Place {
    guard count > Self.mostNamed else { return place }
    note(place, .unnamed)
    return Place(path: place.path, steps: nil)
  }

  // MARK: - Parts

  private mutating func collect(
    _ within: Change.Within, _ fields: [Field], _ change: Change, at place: Place,
    depth: Int
  ) {
    // A mirror of its own may show other properties than before.
    let isSteady = within.children.allSatisfy { child in
      switch changes.all[child].kind {
      case .inserted, .removed: false
      default: true
      }
    }
    // Objects are told apart by their identity. Their parts belong to no commit.
    guard isSteady, within.parts.object == nil else { return replace(change, at: place, depth) }
    if within.parts.caseName != nil, fields.count == 1, let child = within.children.first {
      // What has changed in the only associated value of a case has the name of the case.
      let step: ValueEdit.Step = fields[0].key.name.map { .field($0) } ?? .index(0, id: nil)
      let payload = place.at(step, within.parts.caseName.map { .property($0) })
      return collect(child, at: payload, depth: depth + 1)
    }
    var next = 0
    for child in within.children {
      let key = changes.all[child].key
      // A mirror may have parts without a name, or with one name. An edit would find the first.
      guard fields.count(where: { $0.key.label == key.label }) == 1,
        let index = fields[next...].firstIndex(where: { $0.key.label == key.label })
      else { return replace(change, at: place, depth) }
      next = index + 1
      guard let name = key.name else {
        note(place, .unnamed)
        collect(child, at: place.at(.index(index, id: nil), nil), depth: depth + 1)
        continue
      }
      collect(child, at: place.at(.field(name), .property(name)), depth: depth + 1)
    }
  }

  private mutating func collectElements(
    _ within: Change.Within, _ change: Change, at place: Place, depth: Int
  ) {
    let place = naming(within.children.count, in: place)
    var elements = ValueEdit.Elements()
    var inner: [(index: Int, child: Int)] = []
    for child in within.children {
      let node = changes.all[child]
      switch (node.key, node.kind) {
      case (.index(let index), .removed(let value)):
        if value is KeyedValue { return replace(change, at: place, depth) }
        elements.removed.append(.init(index: index, value: tree(value, node.cursors.old, depth)))
        note(element: Self.name(ElementName.id(of: value)), of: place)
      case (.index(let index), .inserted(let value)):
        if value is KeyedValue { return replace(change, at: place, depth) }
        elements.inserted.append(.init(index: index, value: tree(value, node.cursors.new, depth)))
        note(element: Self.name(ElementName.id(of: value)), of: place)
      case (.index(let index), _): inner.append((index, child))
      case (.moved(let old, let new), let kind):
        elements.moved.append(.init(old: old, new: new))
        note(place, .order)
        if case .moved = kind { continue }
        inner.append((new, child))
      default: return replace(change, at: place, depth)
      }
    }
    elements.removed.sort { $0.index < $1.index }
    elements.inserted.sort { $0.index < $1.index }
    if elements != ValueEdit.Elements() { edits.append(ValueEdit(place.path, .elements(elements))) }
    for (index, child) in inner {
      let node = changes.all[child]
      let id = node.values.flatMap { ElementName.identity(of: $0.1, node.cursors.new) }
      let identity = node.values.flatMap { Self.name(ElementName.id(of: $0.1)) }
      if identity == nil { note(place, .unnamed) }
      let step = identity.map { ChangedPart.Step.element($0) }
      collect(child, at: place.at(.index(index, id: id), step), depth: depth + 1)
    }
  }

  /// What `why` calls an element; `nil` for an object, which must not live longer because of that.
  private static func name(_ identity: Any?) -> AnyHashable? {
    guard let key = identity.flatMap({ $0 as? any Hashable }) else { return nil }
    let name = AnyHashable(key)
    return type(of: name.base) is AnyClass ? nil : name
  }

  private mutating func collectMembers(
    _ within: Change.Within, _ change: Change, at place: Place, depth: Int
  ) {
    note(place, .unnamed)
    var removed: [ValueTree] = []
    var inserted: [ValueTree] = []
    for child in within.children {
      let node = changes.all[child]
      switch node.kind {
      case .removed(let value): removed.append(tree(value, node.cursors.old, depth))
      case .inserted(let value): inserted.append(tree(value, node.cursors.new, depth))
      default:
        guard let (old, new) = node.values else { continue }
        removed.append(tree(old, node.cursors.old, depth))
        inserted.append(tree(new, node.cursors.new, depth))
      }
    }
    // A member that was left out could not be found.
    guard room > 0 else { return addReplacement(change, at: place.path, depth) }
    edits.append(ValueEdit(place.path, .members(removed: removed, inserted: inserted)))
  }

  private mutating func collectEntries(
    _ within: Change.Within, _ change: Change, at place: Place, depth: Int
  ) {
    let place = naming(within.children.count, in: place)
    let first = edits.count
    var areDistinct = true
    for child in within.children {
      let node = changes.all[child]
      guard case .entry(let key) = node.key else { continue }
      // The cursor of a key is that of any part without a name.
      let name = tree(key, RedactionCursor(at: key), depth)
      areDistinct = areDistinct && name.isDistinct
      let step = ValueEdit.Step.key(name)
      let identity = Self.name(key)
      let entry = place.at(step, identity.map { .element($0) })
      switch node.kind {
      case .removed(let value):
        edits.append(ValueEdit(entry.path, .removed(tree(value, node.cursors.old, depth))))
        note(element: identity, of: place)
      case .inserted(let value):
        edits.append(ValueEdit(entry.path, .inserted(tree(value, node.cursors.new, depth))))
        note(element: identity, of: place)
      default:
        if identity == nil { note(place, .unnamed) }
        collect(child, at: entry, depth: depth + 1)
      }
    }
    if areDistinct { return }
    // An edit would find the first of the keys that look the same.
    edits.removeSubrange(first...)
    addReplacement(change, at: place.path, depth)
  }

  // MARK: - Values

  private mutating func tree(
    _ value: Any, _ cursor: RedactionCursor, _ depth: Int
  ) -> ValueTree {
    ValueTree(followed: value, cursor, depth: depth + 1, room: &room)
  }

  private mutating func replace(_ change: Change, at place: Place, _ depth: Int) {
    guard let (old, new) = change.values else { return }
    let cores = (OptionalUnwrapping.core(of: old), OptionalUnwrapping.core(of: new))
    // Otherwise, some parts of the value may be the same.
    let isWhole =
      cores.0 == nil || cores.1 == nil || EnumLayout.haveOtherCases(cores.0 ?? old, cores.1 ?? new)
    note(place, isWhole ? .whole : .unnamed)
    addReplacement(change, at: place.path, depth)
  }

  private mutating func addReplacement(
    _ change: Change, at path: [ValueEdit.Step], _ depth: Int
  ) {
    guard let (old, new) = change.values else { return }
    let before = ValueTree(followed: old, change.cursors.old, depth: depth, room: &room)
    let after = ValueTree(followed: new, change.cursors.new, depth: depth, room: &room)
    edits.append(ValueEdit(path, Self.replacement(of: before, by: after)))
  }

  static func replacement(of before: ValueTree, by after: ValueTree) -> ValueEdit.Change {
    if case .string(let old) = before, case .string(let new) = after,
      let edit = part(of: old, by: new)
    {
      return edit
    }
    return .replaced(before, by: after)
  }

  /// The length in bytes from which only a part of a text is written.
  private static let long = 200

  private static func part(of old: String, by new: String) -> ValueEdit.Change? {
    guard old.utf8.count > long, new.utf8.count > long else { return nil }
    let (from, to) = (old.unicodeScalars, new.unicodeScalars)
    let (head, tail) = from.commonEnds(with: to, by: ==)
    return .text(
      offset: String(from.prefix(head)).utf16.count, String(from.dropFirst(head).dropLast(tail)),
      by: String(to.dropFirst(head).dropLast(tail)))
  }
}

extension EnumLayout {
  fileprivate static func haveOtherCases(_ a: Any, _ b: Any) -> Bool {
    func compare<T>(_ a: T) -> Bool {
      guard let layout = of(T.self), let b = b as? T else { return false }
      let tag: (T) -> UInt32 = {
        unsafe withUnsafePointer(to: $0) { unsafe layout.tag(at: UnsafeRawPointer($0)) }
      }
      return tag(a) != tag(b)
    }
    return _openExistential(a, do: compare)
  }
}
