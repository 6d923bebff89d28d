package import Foundation

/// How a value is shown, one level deep.
package enum ValueShape {
  /// Shown as it is.
  case leaf(String)
  /// Shown in quotes.
  case text(String)
  case data(Data)
  case hidden
  case parts(ValueParts)

  /// - Parameter bare: whether to ignore the type's `debugDescription`.
  package static func at(
    _ value: Any, _ cursor: RedactionCursor, bare: Bool = false
  ) -> ValueShape {
    if cursor.isHidden { return .hidden }
    guard let value = OptionalUnwrapping.core(of: value) else {
      return .leaf(OptionalUnwrapping.nilText(of: value))
    }
    if value is any RedactedValue { return .hidden }
    if let range = value as? any AnyRange { return range.shape(cursor) }
    if let known = value as? any Presentable { return known.shape }
    if cursor.isVeiled(value) { return .hidden }
    let bare = bare || cursor.leadsOn
    let mirror = Mirror(reflecting: value)
    if let collection = ValueParts(collection: mirror, of: value) { return .parts(collection) }
    if !bare, let described = value as? any CustomDebugStringConvertible,
      !RedactionSearch.isIn(value, cursor)
    {
      return .leaf(described.debugDescription)
    }
    if cursor.leadsOn, value is any CustomReflectable,
      cursor.misses(mirror.children.compactMap { $0.label })
    {
      // The custom mirror may show the redacted property under another name.
      return .hidden
    }
    return Reflection.shape(at: value, mirror, cursor)
  }
}

/// A type that provides its own shape.
protocol Presentable {
  var shape: ValueShape { get }
  static var partTypes: [Any.Type] { get }
}

/// The parts of a value.
package struct ValueParts {
  package enum Contents {
    case fields([Field])
    case list(any AnyList)
    case members(any AnySet)
    case entries(any AnyDictionary)
  }

  /// The text before the bracket.
  package var name: String
  /// The case of an enum, for paths.
  package var caseName: String?
  package var object: ObjectIdentifier?
  package var children: Contents

  init(
    _ name: String, _ children: Contents, caseName: String? = nil, object: ObjectIdentifier? = nil
  ) {
    self.name = name
    self.caseName = caseName
    self.object = object
    self.children = children
  }

  init?(collection mirror: Mirror, of value: Any) {
    switch mirror.displayStyle {
    case .collection: children = .list(mirror.children.map { $0.value })
    case .set: children = .list(Order.byText(mirror.children.map { $0.value }))
    case .dictionary:
      let entries = mirror.children.map { Mirror(reflecting: $0.value).children.map { $0.value } }
      guard entries.allSatisfy({ $0.count == 2 }) else { return nil }
      children = .list(entries.map { KeyedValue(key: $0[0], value: $0[1]) })
    default: return nil
    }
    name = typeName(value)
    if type(of: value) is AnyClass { object = ObjectIdentifier(value as AnyObject) }
  }

  /// The name, the number of an object and the opening bracket.
  func open(_ number: String = "") -> String {
    if case .fields = children { return name + number + "(" }
    return name.isEmpty ? "[" : name + number + "(["
  }

  var close: String {
    if case .fields = children { return ")" }
    return name.isEmpty ? "]" : "])"
  }

  /// The brackets around a text that stands for the parts.
  func omitting(_ text: String) -> String { "\(open())… \(text)\(close)" }

  package var count: Int {
    switch children {
    case .fields(let fields): fields.count { !$0.isMinor }
    case .list(let list): list.length
    case .members(let members): members.size
    case .entries(let entries): entries.size
    }
  }

  /// The values of the parts and the keys of a dictionary, in no particular order.
  func values(atMost most: Int) -> [Any] {
    switch children {
    case .fields(let fields): fields.prefix(most).map(\.value)
    case .list(let list): (0..<min(list.length, most)).map { list.item($0) }
    case .members(let members): Array(members.all.prefix(most))
    case .entries(let entries):
      entries.allKeys.prefix(most).flatMap { [$0, entries.value(for: $0) ?? ()] }
    }
  }

  /// The parts in a stable order, each made when it is requested.
  package func ordered() -> (Int) -> Part {
    switch children {
    case .fields(let fields):
      let shown = fields.filter { !$0.isMinor }
      return { Part(key: shown[$0].key, value: shown[$0].value) }
    case .list(let list):
      return { offset in
        let item = list.item(offset)
        if let entry = item as? KeyedValue {
          return Part(key: .entry(entry.key), value: entry.value)
        }
        return Part(key: .index(offset), value: item)
      }
    case .members(let members):
      let sorted = members.stable
      return { Part(key: .none, value: sorted[$0]) }
    case .entries(let entries):
      let keys = entries.stableKeys
      return { Part(key: .entry(keys[$0]), value: entries.value(for: keys[$0]) ?? ()) }
    }
  }
}

/// A stored property, or a child of a custom mirror.
package struct Field {
  package var key: PartKey
  package var value: Any
  /// Whether only diffs show it.
  var isMinor = false
}

/// A value within another value, and its key.
package struct Part {
  package let key: PartKey
  package let value: Any
}

/// An entry of a value whose mirror presents it as a dictionary.
package struct KeyedValue {
  package let key: Any
  package let value: Any
}

/// Where a part is in its value.
package enum PartKey {
  case none
  case name(String)
  /// An element of a tuple without a label.
  case position(Int)
  case index(Int)
  case moved(Int, Int)
  case entry(Any)

  package var name: String? {
    if case .name(let name) = self { return name }
    return nil
  }

  /// The name of a property, or the position of an element of a tuple.
  package var label: String? {
    if case .position(let offset) = self { "\(offset)" } else { name }
  }
}

func typeName(_ value: Any) -> String { String(describing: type(of: value)) }
