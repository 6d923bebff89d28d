import Foundation
import Synchronization

/// The redacted paths, each as a root type and a chain of names of properties or cases (D4).
///
///     redaction.hide(Session.self, ["user", "password"])
///
/// A path applies to every value of its root type, wherever it occurs. `current` is global, because
/// any code may make a text.
package struct Redaction: Sendable {
  private var places: [ObjectIdentifier: [[String]]] = [:]
  /// The paths to which the library has carried a value from a redacted place (D6).
  private var carried: [ObjectIdentifier: [[String]]] = [:]
  /// The types of the standard library and of Foundation whose values are hidden as messages (D6).
  private var hiddenMessages: Set<ObjectIdentifier> = []
  /// The number of paths, which only grows.
  package private(set) var count = 0

  package static let text = "<redacted>"

  /// No paths, so that only `@Redacted` values are hidden.
  package static let none = Redaction()

  private static let lock = NSLock()
  // Unsafe, because the compiler cannot see that each access holds the lock.
  nonisolated(unsafe) private static var shared = Redaction()

  package static var current: Redaction { lock.withLock { unsafe shared } }

  /// Redacts a key path in every text, and returns whether its names could be found.
  static func hide(_ keyPath: AnyKeyPath) -> Bool {
    noteUse()
    return lock.withLock { unsafe shared.hide(keyPath) }
  }

  private static let isUsed = Atomic(false)

  static var isInUse: Bool { isUsed.load(ordering: .relaxed) }

  static func noteUse() {
    // Most calls find it noted, and need not write to memory that other threads read.
    if !isInUse { _ = isUsed.exchange(true, ordering: .relaxed) }
  }

  static func change(_ body: (inout Redaction) -> Void) { lock.withLock { unsafe body(&shared) } }

  package init() {}

  package var isEmpty: Bool { places.isEmpty && carried.isEmpty }

  /// Redacts a chain of property names or, if it is empty, all values of the type.
  package mutating func hide(_ root: Any.Type, _ names: [String]) {
    places[ObjectIdentifier(root), default: []].append(names)
    count += 1
  }

  mutating func carry(to root: Any.Type, _ names: [String]) {
    let id = ObjectIdentifier(root)
    guard carried[id]?.contains(names) != true else { return }
    carried[id, default: []].append(names)
    count += 1
  }

  mutating func hideMessages(_ type: Any.Type) { hiddenMessages.insert(ObjectIdentifier(type)) }
  func hidesMessages(_ type: Any.Type) -> Bool { hiddenMessages.contains(ObjectIdentifier(type)) }

  /// Redacts a key path; `false` if it has no names, as computed properties and subscripts.
  package mutating func hide(_ keyPath: AnyKeyPath) -> Bool {
    let root = type(of: keyPath).rootType
    // A raw identifier with a dot looks like two names, which no value has.
    guard let names = Self.names(in: keyPath), StoredTypes.type(at: names, from: root) != nil else {
      return false
    }
    hide(root, names)
    return true
  }

  /// The property names of a key path; `nil` if they cannot be found.
  package static func names(in keyPath: AnyKeyPath) -> [String]? {
    let (names, isWhole) = leadingNames(in: keyPath)
    return isWhole ? names : nil
  }

  /// The names of the stored properties with which a key path begins, and whether that is all of it.
  static func leadingNames(in keyPath: AnyKeyPath) -> (names: [String], isWhole: Bool) {
    // The text looks like "\State.user?.name?". The name of the type may contain dots, too. Each
    // name but the last belongs to a stored property.
    var text = keyPath.debugDescription
    let root = "\\" + String(describing: type(of: keyPath).rootType)
    guard text.hasPrefix(root) else { return ([], false) }
    text.removeFirst(root.count)
    // Without reflection metadata, the text has offsets in angle brackets instead of names.
    let end = text.firstIndex { $0 == "[" || $0 == "<" }
    if let end { text.removeSubrange(end...) }
    // The element of a tuple without labels, "..0", is redacted together with the whole tuple.
    if let element = text.firstRange(of: "..") { text.removeSubrange(element.lowerBound...) }
    let names = text.split(separator: ".").map { $0.filter { $0 != "?" && $0 != "!" } }
    return (names.filter { !$0.isEmpty && $0 != "self" }, end == nil)
  }

  /// Whether a value that was read through a key path may come from a redacted path.
  ///
  /// In doubt, `true`. The key path is not read again, because its element may no longer exist.
  package func hides(
    _ value: Any, from keyPath: AnyKeyPath, isTransformed: Bool = false, in root: Any
  ) -> Bool {
    let type = type(of: keyPath)
    func isRoot<Root>(_: Root.Type) -> Bool { root is Root }
    let rootType: any Any.Type = type.rootType
    guard isRoot(rootType) else { return true }
    let (origin, isHidden) = origin(at: Self.names(in: keyPath), in: root)
    if isHidden { return true }
    // If an operator has changed the value, it may contain any part of the original.
    let isOther = isTransformed || Swift.type(of: value) != type.valueType
    return isOther && origin.map { isHiding($0) } ?? false
  }

  /// Whether a part is, contains or lies in something redacted; in doubt, `true`.
  ///
  /// - Parameter index: the element whose property is next, where the names lead to an array.
  func hidesPart(at names: [String]?, element index: Int?, in root: Any) -> Bool {
    origin(at: names, element: index, in: root).isHidden
  }

  private func origin(
    at names: [String]?, element index: Int? = nil, in root: Any
  ) -> (end: Any?, isHidden: Bool) {
    // A computed property or an element may be made of anything in the root.
    guard let names else { return (nil, isHiding(root)) }
    return follow(names, element: index, from: root)
  }

  /// Whether a path that the program has redacted leads to a stored property, towards it or into it.
  package func meets(_ keyPath: AnyKeyPath, in root: Any) -> Bool {
    guard !places.isEmpty, let names = Self.names(in: keyPath) else { return false }
    var named = self
    named.carried = [:]
    var (cursor, value) = (RedactionCursor(named, at: root), root)
    for name in names {
      guard let core = OptionalUnwrapping.core(of: value),
        let part = Mirror(reflecting: core).descendant(name)
      else { break }
      cursor = cursor.into(name, part)
      value = part
      if cursor.isHidden { return true }
    }
    return cursor.leadsOn
  }

  func isHiding(_ value: Any) -> Bool {
    RedactionSearch.isIn(value, RedactionCursor(self, at: value))
  }

  /// Whether a chain of names may lead to, towards or into a redacted path that starts on the chain.
  private func doMeet(_ names: [String], _ places: [[String]]) -> Bool {
    places.contains { place in
      !place.isEmpty
        && names.indices.contains { start in
          zip(names[start...], place).allSatisfy { $0 == $1 }
        }
    }
  }

  /// The value at the end of a chain of properties, and whether it or one on the way is redacted.
  private func follow(
    _ names: [String], element: Int?, from root: Any
  ) -> (end: Any?, isHidden: Bool) {
    var value = root
    var cursor = RedactionCursor(self, at: root)
    // Without a value, the types from there on say what is redacted as a whole.
    func end(_ type: (any Any.Type)?, before index: Int) -> (end: Any?, isHidden: Bool) {
      var (type, rest) = (type, names[index...])
      while var known = type {
        while let optional = known as? any AnyOptional.Type { known = optional.wrappedType }
        if places(from: known).contains([]) { return (nil, true) }
        type = rest.popFirst().flatMap { name in
          StoredTypes.records(of: known)?.first { $0.name == name }?.type
        }
      }
      return (nil, [places, carried].joined().contains { doMeet(names, $0.value) })
    }
    for (index, name) in names.enumerated() {
      if cursor.isHidden { return (nil, true) }
      if let element, let list = value as? any AnyList, element < list.length {
        value = list.item(element)
        cursor = cursor.into(nil, value)
      }
      if cursor.isHidden || (index == names.count - 1 && cursor.leads(to: name)) {
        return (nil, true)
      }
      guard let core = OptionalUnwrapping.core(of: value) else {
        return end(type(of: value), before: index)
      }
      let mirror = Mirror(reflecting: core)
      if mirror.displayStyle == .enum, mirror.children.first?.label != name,
        !(core is any CustomReflectable)
      {
        return end(type(of: core), before: index)
      }
      if element != nil, let list = type(of: core) as? any (AnyList & Presentable).Type {
        return end(list.partTypes.first, before: index)
      }
      // A custom mirror may not show the property. In doubt, the value is hidden.
      guard let part = mirror.levels.lazy.compactMap({ $0.descendant(name) }).first else {
        return (nil, true)
      }
      value = part
      cursor = cursor.into(name, part)
    }
    return (value, cursor.isHidden)
  }

  fileprivate func places(from type: Any.Type) -> [[String]] {
    let id = ObjectIdentifier(type)
    return (places[id] ?? []) + (carried[id] ?? [])
  }

  func begins(at type: Any.Type) -> Bool { !isEmpty && !places(from: type).isEmpty }

  func begins(atTypeOf value: Any) -> Bool { !places(fromTypesOf: value).isEmpty }

  fileprivate func places(fromTypesOf value: Any) -> [[String]] {
    let own = places(from: type(of: value))
    guard type(of: value) is AnyClass else { return own }
    return own
      + Mirror(reflecting: value).levels.dropFirst().flatMap { places(from: $0.subjectType) }
  }
}

/// Tracks, on the way into a value, which redacted paths continue from the current part.
package struct RedactionCursor {
  let redaction: Redaction
  private var ahead: [ArraySlice<String>] = []

  package static var idle: RedactionCursor { RedactionCursor(.none) }

  private init(_ redaction: Redaction) { self.redaction = redaction }

  package init(_ redaction: Redaction = .current, at value: Any) {
    self.redaction = redaction
    enter(value)
  }

  package var isHidden: Bool { ahead.contains { $0.isEmpty } }
  /// Whether a redacted path leads to the current value or into it.
  var leadsOn: Bool { !ahead.isEmpty }

  /// Whether nothing in a value of a type can be redacted, so that it needs no search.
  package func isOpen(to type: Any.Type) -> Bool {
    redaction.isEmpty || !leadsOn && redaction.contents(of: type) == .open
  }

  func begins(at value: Any) -> Bool { !redaction.isEmpty && redaction.begins(atTypeOf: value) }

  /// Whether a redacted path that began further out leads to a property or into its value.
  fileprivate func leads(to name: String) -> Bool { ahead.contains { $0.first == name } }

  /// Whether a redacted path leads to a property or into its value.
  package func leads(to name: String, _ value: Any) -> Bool {
    guard !redaction.isEmpty else { return false }
    return into(name, value).leadsOn
  }

  /// Whether a redacted path continues with a name that is not in the list.
  func misses(_ names: [String]) -> Bool {
    ahead.contains { $0.first.map { !names.contains($0) } ?? false }
  }

  /// The cursor at a property of the value or, without a name, at an element.
  package func into(_ name: String?, _ value: Any) -> RedactionCursor {
    into(name.map { .name($0) } ?? .none, value)
  }

  package func into(_ key: PartKey, _ value: Any) -> RedactionCursor {
    guard !redaction.isEmpty else { return self }
    var next = self
    next.ahead = []
    if case .name(let name) = key {
      next.ahead = ahead.filter { $0.first == name }.map { $0.dropFirst() }
    }
    next.enter(value)
    return next
  }

  private mutating func enter(_ value: Any) {
    guard !redaction.isEmpty else { return }
    let value = OptionalUnwrapping.core(of: value) ?? value
    ahead += redaction.places(fromTypesOf: value).map { $0[...] }
  }
}
