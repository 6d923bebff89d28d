/// The places that are not to be shown, each as the names that lead there from a type (D4).
///
///     Redaction([.init(Session.self, ["user", "password"])])
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
    // "\State.user?.name?": the type's name may itself have dots, and each name but the last is
    // that of a stored property.
    var text = keyPath.debugDescription
    let root = "\\" + String(describing: type(of: keyPath).rootType)
    guard text.hasPrefix(root), !text.contains("<computed") else { return false }
    text.removeFirst(root.count)
    guard !text.contains("[") else { return false }
    let names = text.split(separator: ".").map { $0.filter { $0 != "?" && $0 != "!" } }
    hide(type(of: keyPath).rootType, names.filter { !$0.isEmpty && $0 != "self" })
    return true
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
