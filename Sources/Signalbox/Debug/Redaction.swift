/// The places that are not to be shown, each as the names that lead there from a type (D4).
///
///     var redaction = Redaction()
///     redaction.hide(Session.self, ["user", "password"])
///
/// A place is found wherever a value of its type turns up.
package struct Redaction: Sendable {
  private var places: [ObjectIdentifier: [[String]]] = [:]

  /// Nothing is hidden but `@Redacted` values.
  package static let none = Redaction()

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
    let names = text.split(separator: ".").map { $0.filter { $0 != "?" && $0 != "!" } }
    return names.filter { !$0.isEmpty && $0 != "self" }
  }

  /// Whether what a key path leads to comes from a hidden place, as far as anybody can tell: when
  /// in doubt, it does.
  func hides(_ keyPath: AnyKeyPath, in root: Any) -> Bool {
    guard let names = Self.names(in: keyPath) else {
      // The name of what is computed cannot be told, and a wrapped property is. So it is compared.
      guard let value = root[keyPath: keyPath] else { return true }
      return Self.hidden(in: root).contains { Diff(from: $0, to: value) == nil }
    }
    if names.isEmpty { return false }
    return places.values.joined().contains {
      names.starts(with: $0) || $0.starts(with: names) || names.suffix($0.count) == $0[...]
    }
  }

  /// The values that are `@Redacted` somewhere in a value.
  private static func hidden(in root: Any) -> [Any] {
    var found: [Any] = []
    var open: [(value: Any, depth: Int)] = [(root, 0)]
    while let next = open.popLast(), found.count < 100 {
      if let hidden = next.value as? any Hidden {
        found.append(hidden.hidden)
      } else if next.depth < 8, type(of: next.value) is AnyClass == false {
        open += Mirror(reflecting: next.value).children.prefix(1_000)
          .map { ($0.value, next.depth + 1) }
      }
    }
    return found
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
struct Lookout {
  private let redaction: Redaction
  private var ahead: [ArraySlice<String>] = []

  /// With nothing hidden.
  static var idle: Lookout { Lookout(.none) }

  private init(_ redaction: Redaction) { self.redaction = redaction }

  /// At a value that nothing leads to.
  init(_ redaction: Redaction, at value: Any) {
    self.redaction = redaction
    enter(value)
  }

  /// Whether the value itself is hidden.
  var isHidden: Bool { ahead.contains { $0.isEmpty } }
  /// Whether something in the value is hidden, or might be.
  var leadsOn: Bool { !ahead.isEmpty }
  func begins(at value: Any) -> Bool { !redaction.isEmpty && redaction.begins(at: value) }

  /// Whether one of the names ahead is none of these.
  func misses(_ names: [String]) -> Bool {
    ahead.contains { $0.first.map { !names.contains($0) } ?? false }
  }

  /// The lookout at a part of the value.
  func into(_ key: Key, _ value: Any) -> Lookout {
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
    let value = Wrapping.core(of: value) ?? value
    ahead += redaction.places(fromTypesOf: value).map { $0[...] }
  }
}
