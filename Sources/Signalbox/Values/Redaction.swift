import Foundation

/// The places that are not to be shown, each as the names that lead there from a type (D4).
///
///     var redaction = Redaction()
///     redaction.hide(Session.self, ["user", "password"])
///
/// A place is found wherever a value of its type turns up. What `DebugStore.redact` was told is
/// `current`: it holds for the whole program, as whoever writes something down may be anywhere.
package struct Redaction: Sendable {
  private var places: [ObjectIdentifier: [[String]]] = [:]

  /// What stands in place of a value that is not to be shown.
  package static let text = "<redacted>"

  /// Nothing is hidden but `@Redacted` values.
  package static let none = Redaction()

  private static let lock = NSLock()
  // Unsafe for the compiler, which cannot see that each access holds the lock.
  nonisolated(unsafe) private static var told = Redaction()

  /// What is hidden in every text.
  package static var current: Redaction { lock.withLock { unsafe told } }

  /// Hides in every text what a key path leads to.
  ///
  /// - Returns: whether its names could be told.
  static func hide(_ keyPath: AnyKeyPath) -> Bool { lock.withLock { unsafe told.hide(keyPath) } }

  package init() {}

  package var isEmpty: Bool { places.isEmpty }

  /// Hides what a chain of property names leads to; an empty one hides the type's values.
  package mutating func hide(_ root: Any.Type, _ names: [String]) {
    places[ObjectIdentifier(root), default: []].append(names)
  }

  /// Hides what a key path leads to.
  ///
  /// - Returns: whether its names could be told: those of computed properties and of subscripts
  ///   cannot.
  package mutating func hide(_ keyPath: AnyKeyPath) -> Bool {
    guard let names = Self.names(in: keyPath) else { return false }
    hide(type(of: keyPath).rootType, names)
    return true
  }

  /// The names that a key path goes by; `nil` if they cannot be told.
  static func names(in keyPath: AnyKeyPath) -> [String]? {
    // "\State.user?.name?": the type's name may itself have dots, and each name but the last is
    // that of a stored property.
    var text = keyPath.debugDescription
    let root = "\\" + String(describing: type(of: keyPath).rootType)
    guard text.hasPrefix(root), !text.contains("<computed") else { return nil }
    text.removeFirst(root.count)
    guard !text.contains("[") else { return nil }
    // An element of a tuple without a label, "..0", is found with the whole tuple only.
    if let element = text.firstRange(of: "..") { text.removeSubrange(element.lowerBound...) }
    let names = text.split(separator: ".").map { $0.filter { $0 != "?" && $0 != "!" } }
    return names.filter { !$0.isEmpty && $0 != "self" }
  }

  /// Whether a value that was read by way of a key path comes from a hidden place, as far as
  /// anybody can tell: when in doubt, it does.
  ///
  /// The key path is not used to read: an element that it leads to may be gone by now.
  ///
  /// - Parameter isTransformed: whether a closure may have made something else of it.
  package func hides(
    _ value: Any, from keyPath: AnyKeyPath, isTransformed: Bool = false, in root: Any
  ) -> Bool {
    let type = type(of: keyPath)
    func isRoot<Root>(_: Root.Type) -> Bool { root is Root }
    guard _openExistential(type.rootType, do: isRoot) else { return true }
    // What is computed, or an element, may be made of anything in it.
    guard let names = Self.names(in: keyPath) else { return isHiding(root) }
    if places.values.joined().contains(where: { Self.doMeet(names, $0) }) { return true }
    let (origin, isHidden) = follow(names, from: root)
    if isHidden { return true }
    // Where an operator has made something else of it, nobody can tell what is left.
    let isOther = isTransformed || Swift.type(of: value) != type.valueType
    return isOther && origin.map { isHiding($0) } ?? false
  }

  private func isHiding(_ value: Any) -> Bool {
    RedactionSearch.isIn(value, RedactionCursor(self, at: value))
  }

  /// Whether a chain of names leads to a place, or into it, if the place begins somewhere on it.
  private static func doMeet(_ names: [String], _ place: [String]) -> Bool {
    !place.isEmpty
      && names.indices.contains { start in
        zip(names[start...], place).allSatisfy { $0 == $1 }
      }
  }

  /// Goes from stored property to stored property.
  ///
  /// - Returns: what is at the end, if one gets there; and whether a value of a type all of which is
  ///   hidden lies on the way.
  private func follow(_ names: [String], from root: Any) -> (end: Any?, isHidden: Bool) {
    var value = root
    for name in names {
      if RedactionCursor(self, at: value).isHidden { return (nil, true) }
      guard let core = OptionalUnwrapping.core(of: value) else { return (nil, false) }
      let levels = sequence(first: Mirror(reflecting: core)) { $0.superclassMirror }
      // A mirror of its own need not show it.
      guard let part = levels.lazy.compactMap({ $0.descendant(name) }).first else {
        return (nil, true)
      }
      value = part
    }
    return (value, RedactionCursor(self, at: value).isHidden)
  }

  fileprivate func places(from type: Any.Type) -> [[String]] {
    places[ObjectIdentifier(type)] ?? []
  }

  /// Whether a place begins at the value's type.
  func begins(at value: Any) -> Bool { !places(fromTypesOf: value).isEmpty }

  fileprivate func places(fromTypesOf value: Any) -> [[String]] {
    var found = places(from: type(of: value))
    guard type(of: value) is AnyClass else { return found }
    var mirror = Mirror(reflecting: value).superclassMirror
    while let ancestor = mirror {
      found += places(from: ancestor.subjectType)
      mirror = ancestor.superclassMirror
    }
    return found
  }
}

/// Which hidden places lie ahead, on the way into a value.
package struct RedactionCursor {
  private let redaction: Redaction
  private var ahead: [ArraySlice<String>] = []

  /// With nothing hidden.
  static var idle: RedactionCursor { RedactionCursor(.none) }

  private init(_ redaction: Redaction) { self.redaction = redaction }

  /// At a value that nothing leads to.
  package init(_ redaction: Redaction = .current, at value: Any) {
    self.redaction = redaction
    enter(value)
  }

  /// Whether the value itself is hidden.
  package var isHidden: Bool { ahead.contains { $0.isEmpty } }
  /// Whether something in the value is hidden, or might be.
  var leadsOn: Bool { !ahead.isEmpty }
  func begins(at value: Any) -> Bool { !redaction.isEmpty && redaction.begins(at: value) }
  func begins(at type: Any.Type) -> Bool { !redaction.places(from: type).isEmpty }

  /// The lookout at the same place, were this value there.
  package func entering(_ value: Any) -> RedactionCursor {
    var next = self
    next.enter(value)
    return next
  }

  /// Whether a property or its value is hidden, or something that the value has as a property.
  package func leads(to name: String, _ value: Any) -> Bool {
    guard !redaction.isEmpty else { return false }
    return into(name, value).leadsOn
  }

  /// Whether one of the names ahead is none of these.
  func misses(_ names: [String]) -> Bool {
    ahead.contains { $0.first.map { !names.contains($0) } ?? false }
  }

  /// The lookout at a part of the value: a property of that name, or without one an element.
  package func into(_ name: String?, _ value: Any) -> RedactionCursor {
    into(name.map { .name($0) } ?? .none, value)
  }

  /// The lookout at a part of the value.
  func into(_ key: Key, _ value: Any) -> RedactionCursor {
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
