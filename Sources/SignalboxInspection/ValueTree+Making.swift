import Foundation
import Signalbox

extension ValueTree {
  static let mostLevels = 64
  /// The number of parts of a state, and of a change of it, that are recorded.
  package static let mostParts = 1_000_000

  /// Makes a tree without anything redacted (D4), and without the parts that exceed the room.
  package init(_ value: Any, room: Int = .max) {
    var maker = ValueTreeMaker(room: room, isFollowed: false)
    self = maker.tree(of: value, RedactionCursor(at: value), depth: 0)
  }

  /// Makes a tree of a state, to which edits will be applied.
  ///
  /// A collection that exceeds the room is left out, because edits fit only one that is whole.
  package init(followed value: Any, room: Int = mostParts) {
    var room = room
    self.init(followed: value, RedactionCursor(at: value), depth: 0, room: &room)
  }

  /// - Parameter room: the number of parts, which becomes the number that is left.
  init(followed value: Any, _ cursor: RedactionCursor, depth: Int, room: inout Int) {
    var maker = ValueTreeMaker(room: room, isFollowed: true)
    self = maker.tree(of: value, cursor, depth: depth)
    room = maker.room
  }

  /// Makes the tree of a value of a type to which a cursor is open.
  init(
    followedAt address: UnsafeRawPointer, _ layout: ValueLayout, _ cursor: RedactionCursor,
    depth: Int, room: inout Int
  ) {
    var maker = ValueTreeMaker(room: room, isFollowed: true)
    self = unsafe maker.tree(at: address, layout, cursor, depth: depth)
    room = maker.room
  }
}

private struct ValueTreeMaker {
  /// The number of parts that are left.
  private(set) var room: Int
  /// Whether edits will be applied to the tree.
  private let isFollowed: Bool
  /// The objects in the tree, whose parts are shown once, because they may refer to one another.
  private var met: Set<ObjectIdentifier> = []

  init(room: Int, isFollowed: Bool) {
    self.room = room
    self.isFollowed = isFollowed
  }

  mutating func tree(of value: Any, _ cursor: RedactionCursor, depth: Int) -> ValueTree {
    // Counted, because a list may have many that are hidden or nil.
    if cursor.isHidden { return counted(.redacted) }
    guard room > 0, depth < ValueTree.mostLevels else { return .omitted }
    let layout = ValueLayout.of(type(of: value))
    if !layout.isOther, cursor.isOpen(to: layout.type),
      let tree = unsafe layout.withAddress(
        of: value, { unsafe tree(at: $0, layout, cursor, depth: depth) })
    {
      return tree
    }
    if let optional = value as? any AnyOptional {
      guard let wrapped = optional.wrapped else { return counted(.null) }
      let tree = tree(of: wrapped, cursor, depth: depth)
      return switch tree {
      case .null, .some: .some(tree)
      default: tree
      }
    }
    if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
      return tree(of: hashable.base, cursor, depth: depth).erased
    }
    room -= 1
    if let literal = Self.literal(value, layout) { return fitting(literal) }
    if let enumCase = Self.emptyCase(value, layout) { return enumCase }
    let type = layout.name
    switch ValueShape.at(value, cursor, bare: true) {
    case .hidden: return .redacted
    case .leaf(let text): return .text(type: type, text)
    case .text(let text): return .text(type: type, text)
    case .data(let data): return .text(type: type, Self.text(of: data))
    case .parts(let parts): return tree(of: parts, value, layout, cursor, depth: depth)
    }
  }

  mutating func tree(
    at address: UnsafeRawPointer, _ layout: ValueLayout, _ cursor: RedactionCursor, depth: Int
  ) -> ValueTree {
    guard room > 0, depth < ValueTree.mostLevels else { return .omitted }
    switch layout.kind {
    case .literal(let read): return unsafe fitting(counted(read(address)))
    case .optional(let isNil, let wrapped):
      if unsafe isNil(address) { return counted(.null) }
      // The wrapped value has the address of the optional.
      let tree = unsafe tree(at: address, wrapped, cursor, depth: depth)
      return switch tree {
      case .null, .some: .some(tree)
      default: tree
      }
    case .record(let parts):
      let record = ValueTree.Record(type: layout.name, fields: [])
      return unsafe self.record(record, parts, at: address, cursor, depth: depth)
    case .choice(let cases, let all):
      let tag = unsafe cases.tag(at: address)
      let record = ValueTree.Record(
        type: layout.name, caseName: all[Int(tag)].name, isErased: layout.isError, fields: [])
      return unsafe cases.withPayload(at: address) {
        unsafe self.record(record, all[Int(tag)].parts, at: $0, cursor, depth: depth)
      }
    case .other: return unsafe tree(of: layout.copy(address), cursor, depth: depth)
    }
  }

  private mutating func record(
    _ record: ValueTree.Record, _ parts: [ValueLayout.Part], at address: UnsafeRawPointer,
    _ cursor: RedactionCursor, depth: Int
  ) -> ValueTree {
    room -= 1
    var record = record
    record.fields.reserveCapacity(parts.count)
    for part in parts {
      let tree = unsafe tree(at: address + part.offset, part.layout, cursor, depth: depth + 1)
      record.fields.append(ValueTree.Field(label: part.label, value: tree))
    }
    return .record(record)
  }

  private mutating func counted(_ tree: ValueTree) -> ValueTree {
    room -= 1
    return tree
  }

  private mutating func tree(
    of parts: ValueParts, _ value: Any, _ layout: ValueLayout, _ cursor: RedactionCursor,
    depth: Int
  ) -> ValueTree {
    if case .fields(let fields) = parts.children {
      return record(of: parts, fields, value, layout, cursor, depth: depth)
    }
    guard isFollowed else { return collection(of: parts, layout.name, cursor, depth: depth) }
    // Its elements are not looked at if there are more of them than there is room.
    guard parts.count <= room else { return .omitted }
    let tree = collection(of: parts, layout.name, cursor, depth: depth)
    return room > 0 ? tree : .omitted
  }

  private mutating func record(
    of parts: ValueParts, _ fields: [Field], _ value: Any, _ layout: ValueLayout,
    _ cursor: RedactionCursor, depth: Int
  ) -> ValueTree {
    var record = ValueTree.Record(
      type: parts.name.isEmpty ? nil : layout.name, caseName: parts.caseName,
      isObject: parts.object != nil, isCustom: Self.isCustom(value),
      isErased: parts.caseName != nil && layout.isError, fields: [])
    if let object = parts.object, !met.insert(object).inserted { return .record(record) }
    if parts.caseName != nil, fields.isEmpty {
      // The associated value is `()`.
      let void = ValueTree.Record(type: nil, fields: [])
      record.fields = [ValueTree.Field(label: nil, value: counted(.record(void)))]
    }
    for field in fields {
      let tree = tree(of: field.value, cursor.into(field.key, field.value), depth: depth + 1)
      record.fields.append(ValueTree.Field(label: field.key.name, value: tree))
    }
    return .record(record)
  }

  private mutating func collection(
    of parts: ValueParts, _ type: String, _ cursor: RedactionCursor, depth: Int
  ) -> ValueTree {
    var children: [ValueTree] = []
    func add(_ key: PartKey, _ value: Any, _ maker: inout Self) {
      children.append(maker.tree(of: value, cursor.into(key, value), depth: depth + 1))
    }
    switch parts.children {
    case .list(let list):
      if list.length > 0, list.item(0) is KeyedValue {
        let all = (0..<list.length).lazy.compactMap { list.item($0) as? KeyedValue }
        return .dictionary(entries(all.map { ($0.key, $0.value) }, cursor, depth: depth))
      }
      for offset in 0..<list.length {
        guard room > 0 else {
          children.append(.omitted)
          break
        }
        add(.index(offset), list.item(offset), &self)
      }
      return .list(type: parts.name.isEmpty ? nil : type, children)
    case .members(let members):
      for member in members.stable { add(.none, member, &self) }
      return .set(children)
    case .entries(let dictionary):
      let all = dictionary.stableKeys.map { ($0, dictionary.value(for: $0) ?? ()) }
      return .dictionary(entries(all, cursor, depth: depth))
    case .fields: return .omitted
    }
  }

  private mutating func entries(
    _ entries: [(key: Any, value: Any)], _ cursor: RedactionCursor, depth: Int
  ) -> [ValueTree.Entry] {
    var trees: [ValueTree.Entry] = []
    for entry in entries where room > 0 {
      let key = tree(of: entry.key, cursor.into(nil, entry.key), depth: depth + 1)
      let value = tree(
        of: entry.value, cursor.into(.entry(entry.key), entry.value), depth: depth + 1)
      trees.append(ValueTree.Entry(key: key, value: value))
    }
    return trees
  }

  // MARK: - Values without parts

  /// Leaves out the end of a long text, where there is a limit.
  private func fitting(_ literal: ValueTree) -> ValueTree {
    // Parts of a text that is followed are edited.
    guard !isFollowed, room < Int.max / 2, case .string(let text) = literal,
      text.utf8.count > mostText
    else { return literal }
    return .text(type: "String", "\(text.prefix(mostText / 4))… \(text.utf8.count) bytes")
  }

  private var mostText: Int { 100_000 }

  /// A number, a text or a `Bool`, also one that another language has put into an object.
  private static func literal(_ value: Any, _ layout: ValueLayout) -> ValueTree? {
    if case .literal(let read) = layout.kind {
      return unsafe layout.withAddress(of: value) { unsafe read($0) }
    }
    guard layout.type is AnyClass else { return nil }
    return switch value {
    case let value as Bool: .bool(value)
    case let value as String: .string(value)
    case let value as Double: .number("\(value)")
    default: nil
    }
  }

  /// A case without associated values, whose name is not a description of its own.
  private static func emptyCase(_ value: Any, _ layout: ValueLayout) -> ValueTree? {
    guard !(Dump.isKnown(value) || value is any CustomReflectable) else { return nil }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum, mirror.children.isEmpty else { return nil }
    guard !(value is any CustomStringConvertible || value is any CustomDebugStringConvertible)
    else { return nil }
    return .record(
      ValueTree.Record(
        type: layout.name, caseName: "\(value)", isErased: layout.isError, fields: []))
  }

  /// Whether the fields may not be the parameters of an initializer.
  private static func isCustom(_ value: Any) -> Bool {
    if value is any CustomReflectable || type(of: value) is AnyClass { return true }
    // The properties of their types are not those of their initializers.
    if isFromSystem(type(of: value)) { return true }
    return Mirror(reflecting: value).children.contains {
      $0.label.map { $0.hasPrefix("_") || $0.hasPrefix("$") } ?? false
    }
  }

  private static func text(of data: Data) -> String {
    let most = 1_024
    return Quoting.hex(data.prefix(most)) + (data.count > most ? "… \(data.count) bytes" : "")
  }

}

extension ValueTree {
  /// The value where its place has another type.
  fileprivate var erased: ValueTree {
    guard case .record(var record) = self, record.caseName != nil else { return self }
    record.isErased = true
    return .record(record)
  }

  /// The name of a type with the types that contain it, without the modules.
  package static func name(of type: Any.Type) -> String {
    String(reflecting: type)
      // A type that is private, or in an extension of a type of another module.
      .replacing(/\(unknown context at [^)]*\)\.|\(extension in [^)]*\):/, with: "")
      .replacing(/(^|[^\w.`])\w+\./) { $0.1 }
  }
}
