/// Compares values by `==` or, where their type has none, by their contents (D2).
///
/// Bitwise equal values, and two NaNs, are the same. A work list keeps deep values off the stack.
package final class DeepEquality {
  /// Pairs of objects without `==` whose contents are the same.
  private var known: Set<ObjectPair> = []
  /// The number of values that may still be read by reflection.
  private var effort: Int
  /// The number of comparisons that were abandoned.
  private(set) var cuts = 0

  package init(effort: Int = .max) { self.effort = effort }

  var isExhausted: Bool { effort <= 0 }

  func spend(_ count: Int) { effort -= count }

  /// Calls a function that may take half of the effort that is left.
  func sparing<R>(_ body: () -> R) -> R {
    let reserve = effort / 2
    effort -= reserve
    defer { effort = max(0, effort) + reserve }
    return body()
  }

  /// Whether two values are the same; `nil` if the comparison was abandoned.
  func isSame(_ old: Any, _ new: Any) -> Bool? {
    let before = cuts
    if areSame(old, new) { return true }
    return cuts == before ? false : nil
  }

  /// Whether two values are the same; `false` also if the comparison was abandoned.
  package func areSame(_ old: Any, _ new: Any) -> Bool {
    isSameAtOnce(old, new) ?? search([(old, new)], isNew: false)
  }

  /// The comparison for a type, which a list looks up once instead of for each element.
  func rule<T>(for type: T.Type) -> (T, T) -> Bool {
    guard let areEqual = RuntimeEquality.function(of: T.self) else {
      return { old, new in
        guard self.effort > 0 else {
          self.cuts += 1
          return false
        }
        return BitwiseEquality.areSameCleared(old, new) || self.areSame(old, new)
      }
    }
    return { old, new in
      areEqual(old, new) || (!areEqual(old, old) && self.search([(old, new)], isNew: false))
    }
  }

  /// Whether two values are the same; `nil` if their contents have to be compared.
  func isSameAtOnce(_ old: Any, _ new: Any) -> Bool? {
    func open<T>(_ old: T) -> Bool? {
      guard let new = new as? T else { return false }
      return BitwiseEquality.areSame(old, new) ? true : nil
    }
    guard type(of: old) == type(of: new) else { return inheritedEquality(old, new) }
    if let alike = open(old) { return alike }
    if let list = old as? any AnyList { return list.isSameByEquality(as: new, self) }
    return equality(old, new)
  }

  private func equality(_ old: Any, _ new: Any) -> Bool? {
    let type = type(of: old)
    guard let areEqual = RuntimeEquality.areEqual(old, new, by: type) else { return nil }
    if areEqual { return true }
    // A value that contains a NaN is not equal to itself. Its contents are compared instead.
    return RuntimeEquality.areEqual(old, old, by: type) == true ? false : nil
  }

  /// Compares objects of two classes by the `==` of a common superclass, if it has one.
  private func inheritedEquality(_ old: Any, _ new: Any) -> Bool {
    guard type(of: old) is AnyClass, type(of: new) is AnyClass else { return false }
    for level in Mirror(reflecting: old).levels {
      if let verdict = RuntimeEquality.areEqual(old, new, by: level.subjectType) { return verdict }
    }
    return false
  }

  /// Whether a value contains something that is not equal to itself, such as NaN.
  ///
  /// The `==` of the whole cannot tell: lists that share storage are equal without a comparison.
  func holdsIrreflexive(_ value: Any) -> Bool {
    var met: Set<ObjectPair> = []
    var values = [value]
    while let value = values.popLast(), effort > 0 {
      effort -= 1
      if RuntimeEquality.areEqual(value, value, by: type(of: value)) == false { return true }
      if let pair = ObjectPair(value, value), !met.insert(pair).inserted { continue }
      if let list = value as? any AnyList {
        values += (0..<list.length).map { list.item($0) }
      } else {
        values += (Self.contents(value, value) ?? []).map(\.0)
      }
    }
    return false
  }

  /// - Parameter isNew: whether `isSameAtOnce` has not compared the pairs yet.
  private func search(_ pairs: [(Any, Any)], isNew: Bool = true) -> Bool {
    var pairs = pairs
    var assumed: Set<ObjectPair> = []
    var isNew = isNew
    while let (old, new) = pairs.popLast() {
      if isNew, let verdict = isSameAtOnce(old, new) {
        if verdict { continue } else { return false }
      }
      isNew = true
      if let pair = ObjectPair(old, new) {
        // In a cycle, a pair that is already being compared is the same if everything else is.
        if known.contains(pair) || !assumed.insert(pair).inserted { continue }
      }
      guard effort > 0 else {
        cuts += 1
        return false
      }
      guard let inner = Self.contents(old, new) else {
        effort -= 1
        return false
      }
      effort -= 1 + inner.count
      pairs += inner
    }
    known.formUnion(assumed)
    return true
  }

  /// The pairs that must be the same, without bitwise equal elements; `nil` if the values differ.
  private static func contents(_ old: Any, _ new: Any) -> [(Any, Any)]? {
    if let old = old as? any RedactedValue, let new = new as? any RedactedValue {
      return [(old.hidden, new.hidden)]
    }
    if let old = old as? any AnyOptional, let new = new as? any AnyOptional {
      switch (old.wrapped, new.wrapped) {
      case (nil, nil): return []
      case (let old?, let new?): return [(old, new)]
      default: return nil
      }
    }
    // The contents of an actor must not be read here, so two actors always differ.
    if type(of: old) is AnyClass, old is any Actor { return nil }
    if !(old is any Presentable) {
      // Most values are compared by their fields, which needs no shape.
      let (old, new) = (Mirror(reflecting: old), Mirror(reflecting: new))
      let isOrdered = old.displayStyle != .set && old.displayStyle != .dictionary
      if isOrdered, !old.children.isEmpty || !new.children.isEmpty || old.superclassMirror != nil {
        return contents(old, new)
      }
    }
    switch (ValueShape.at(old, .idle, bare: true), ValueShape.at(new, .idle, bare: true)) {
    case (.leaf(let old), .leaf(let new)), (.text(let old), .text(let new)):
      return old == new ? [] : nil
    case (.data(let old), .data(let new)): return old == new ? [] : nil
    case (.parts(let old), .parts(let new)): return contents(old, new)
    // Only their descriptions tell them apart, which appear in no text.
    case (.hidden, .hidden): return "\(old)" == "\(new)" ? [] : nil
    default: return nil
    }
  }

  private static func contents(_ old: Mirror, _ new: Mirror) -> [(Any, Any)]? {
    var pairs: [(Any, Any)] = []
    for (old, new) in zip(old.levels, new.levels) {
      guard old.children.count == new.children.count else { return nil }
      for (old, new) in zip(old.children, new.children) {
        guard old.label == new.label else { return nil }
        pairs.append((old.value, new.value))
      }
    }
    return pairs
  }

  private static func contents(_ old: ValueParts, _ new: ValueParts) -> [(Any, Any)]? {
    guard old.name == new.name else { return nil }
    switch (old.children, new.children) {
    case (.fields(let old), .fields(let new)):
      guard old.map(\.key.name) == new.map(\.key.name) else { return nil }
      return Array(zip(old.map(\.value), new.map(\.value)))
    case (.list(let old), .list(let new)):
      return old.unlike(new)
    case (.entries(let old), .entries(let new)):
      guard old.size == new.size else { return nil }
      return old.allKeys.completeMap { key in
        old.value(for: key).flatMap { was in new.value(for: key).map { (was, $0) } }
      }
    case (.members(let old), .members(let new)):
      guard old.size == new.size else { return nil }
      return Array(zip(old.stable, new.stable))
    default: return nil
    }
  }
}

/// The identities of two objects under comparison.
package struct ObjectPair: Hashable {
  package let old: ObjectIdentifier
  package let new: ObjectIdentifier

  package init?(_ old: Any, _ new: Any) {
    guard type(of: old) is AnyClass, type(of: new) is AnyClass else { return nil }
    self.old = ObjectIdentifier(old as AnyObject)
    self.new = ObjectIdentifier(new as AnyObject)
  }
}
