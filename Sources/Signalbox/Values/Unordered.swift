/// A set of any element type.
package protocol AnySet {
  var size: Int { get }
  var all: [Any] { get }
  /// Sorted by `<` or, if the type has none, by text.
  var stable: [Any] { get }
  func has(_ element: Any) -> Bool
  /// The elements that the other set does not contain, sorted like `stable`.
  func missing(in other: any AnySet) -> [Any]
}

extension Set: AnySet, Presentable {
  var shape: ValueShape { .parts(ValueParts("Set", .members(self))) }
  static var partTypes: [Any.Type] { [Element.self] }
  package var size: Int { count }
  package var all: [Any] { map { $0 } }
  package var stable: [Any] { Order.stable(Array(self)) }
  package func has(_ element: Any) -> Bool { (element as? Element).map(contains) ?? false }

  package func missing(in other: any AnySet) -> [Any] {
    guard let other = other as? Self else { return stable }
    return Order.stable(filter { !other.contains($0) })
  }
}

/// A dictionary of any key and value types.
package protocol AnyDictionary {
  var size: Int { get }
  var allKeys: [Any] { get }
  var stableKeys: [Any] { get }
  func value(for key: Any) -> Any?
  /// The keys of the entries that differ, in a stable order.
  func differences(from old: any AnyDictionary, _ equality: DeepEquality) -> [Any]
}

// `Dictionary.Keys` and `.Values` describe themselves, and their mirrors have no children.
extension Dictionary.Keys: Presentable {
  var shape: ValueShape { .parts(ValueParts("Dictionary.Keys", .list(Order.stable(Array(self))))) }
  static var partTypes: [Any.Type] { [Key.self] }
}

extension Dictionary.Values: Presentable {
  var shape: ValueShape {
    .parts(ValueParts("Dictionary.Values", .list(Order.stable(Array(self)))))
  }
  static var partTypes: [Any.Type] { [Value.self] }
}

extension Dictionary: AnyDictionary, Presentable {
  var shape: ValueShape { .parts(ValueParts("", .entries(self))) }
  static var partTypes: [Any.Type] { [Key.self, Value.self] }
  package var size: Int { count }
  package var allKeys: [Any] { keys.map { $0 } }
  package var stableKeys: [Any] { Order.stable(Array(keys)) }

  package func value(for key: Any) -> Any? {
    // `self[key]` would not do, because its `nil` may be a value.
    guard let key = key as? Key, let index = index(forKey: key) else { return nil }
    return self[index].value
  }

  package func differences(from old: any AnyDictionary, _ equality: DeepEquality) -> [Any] {
    guard let old = old as? Self else { return stableKeys }
    let areSame = equality.rule(for: Value.self)
    var differing: [Key] = []
    var found = 0
    // A dictionary and its changed copy mostly have the same order, which saves lookups.
    var theirs: Iterator? = old.makeIterator()
    for (key, value) in self {
      var other: Value?
      if let entry = theirs?.next(), entry.key == key {
        other = .some(entry.value)
      } else {
        theirs = nil
        other = old.index(forKey: key).map { old[$0].value }
      }
      if other != nil { found += 1 }
      if let other, BitwiseEquality.areSame(other, value) || areSame(other, value) { continue }
      differing.append(key)
    }
    if found < old.count { differing += old.keys.filter { index(forKey: $0) == nil } }
    return Order.stable(differing)
  }
}

/// Sorts elements that have no order of their own.
enum Order {
  private static let most = 5_000

  static func stable<T>(_ elements: some Collection<T>) -> [Any] {
    func open<C: Comparable>(_: C.Type) -> [Any]? {
      // `C` is `T`, but the compiler needs the cast to know it.
      (Array(elements) as Any as? [C])?.sorted()
    }
    let sorted = (T.self as? any Comparable.Type).flatMap { open($0) }
    return sorted ?? byText(Array(elements))
  }

  /// Sorts elements by text, unless there are so many that this would take too long.
  static func byText(_ elements: [Any]) -> [Any] {
    guard elements.count <= most else { return elements }
    var texts = elements.map { (InlineFormatter.line(of: $0, .idle, room: 1_000), $0) }
    texts.sort { $0.0 < $1.0 }
    return texts.map { $0.1 }
  }
}
