import Foundation

/// What is to be seen of a value, one level deep.
enum Look {
  /// Shown as it is.
  case leaf(String)
  /// Shown in quotes.
  case text(String)
  /// Shown in hex.
  case data(Data)
  /// Not shown.
  case hidden
  case parts(Parts)

  /// - Parameter bare: whether to pass over what a type says of itself for debugging.
  static func at(_ value: Any, _ lookout: Lookout, bare: Bool = false) -> Look {
    if lookout.isHidden { return .hidden }
    guard let value = Wrapping.core(of: value) else { return .leaf(Wrapping.nilText(of: value)) }
    if value is any Hidden { return .hidden }
    if let span = value as? any Span { return span.look(lookout) }
    if let known = value as? any Seen { return known.look }
    if Hiding.isBehindMirror(of: value) { return .hidden }
    let bare = bare || lookout.leadsOn
    let mirror = Mirror(reflecting: value)
    if let collection = Parts(collection: mirror, of: value) { return .parts(collection) }
    if !bare, let described = value as? any CustomDebugStringConvertible,
      !Hiding.isIn(value, lookout)
    {
      return .leaf(described.debugDescription)
    }
    if lookout.leadsOn, value is any CustomReflectable,
      lookout.misses(mirror.children.compactMap { $0.label })
    {
      // The mirror may show it under another name.
      return .hidden
    }
    return Reflection.look(at: value, mirror, lookout)
  }
}

/// A type that says itself how it is seen.
protocol Seen {
  var look: Look { get }
  /// Whether there may be something in its values that is not to be shown.
  static func mayHide(_ lookout: Lookout) -> Bool
}

/// What a value consists of.
struct Parts {
  enum Children {
    case fields([Field])
    case list(any List)
    case members(any Members)
    case entries(any Entries)
  }

  /// What stands before the bracket.
  var name: String
  /// The case of an enum, for paths.
  var caseName: String?
  var object: ObjectIdentifier?
  var children: Children

  init(
    _ name: String, _ children: Children, caseName: String? = nil, object: ObjectIdentifier? = nil
  ) {
    self.name = name
    self.caseName = caseName
    self.object = object
    self.children = children
  }

  /// What presents itself as a collection in its mirror.
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

  /// - Parameter number: that of the object.
  func open(_ number: String = "") -> String {
    if case .fields = children { return name + number + "(" }
    return name.isEmpty ? "[" : name + number + "(["
  }

  var close: String {
    if case .fields = children { return ")" }
    return name.isEmpty ? "]" : "])"
  }

  var count: Int {
    switch children {
    case .fields(let fields): fields.count { !$0.isMinor }
    case .list(let list): list.length
    case .members(let members): members.size
    case .entries(let entries): entries.size
    }
  }

  /// What the parts hold, in no order, keys included.
  func values(atMost most: Int) -> [Any] {
    switch children {
    case .fields(let fields): fields.prefix(most).map(\.value)
    case .list(let list): (0..<min(list.length, most)).map { list.item($0) }
    case .members(let members): Array(members.all.prefix(most))
    case .entries(let entries):
      entries.allKeys.prefix(most).flatMap { [$0, entries.value(for: $0) ?? ()] }
    }
  }

  /// The parts in a stable order, each made when it is asked for.
  func ordered() -> (Int) -> Part {
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

/// A stored property, or what a custom mirror gives for one.
struct Field {
  var key: Key
  var value: Any
  /// Whether only a diff looks at it.
  var isMinor = false
}

struct Part {
  let key: Key
  let value: Any
}

/// An entry of what is a dictionary only by its mirror.
struct KeyedValue {
  let key: Any
  let value: Any
}

/// Where in a value a part of it is.
enum Key {
  case none
  case name(String)
  case index(Int)
  case moved(Int, Int)
  case entry(Any)

  var name: String? {
    if case .name(let name) = self { return name }
    return nil
  }
}

func typeName(_ value: Any) -> String { String(describing: type(of: value)) }
