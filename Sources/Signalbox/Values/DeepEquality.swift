/// Whether values are the same: by `==` where there is one, else by what they hold (D2).
///
/// What lies in memory alike is the same without a look, and NaN is the same as NaN. No recursion
/// of its own, whatever the depth.
final class DeepEquality {
  /// Objects of a type without `==` that hold the same.
  private var known: Set<ObjectPair> = []
  /// Those that do not, so that what refers to them needs no second look.
  private var unlike: Set<ObjectPair> = []
  /// Of each type that was looked into, `nil` if there are none.
  private var fieldRules: [ObjectIdentifier: AnyObject?] = [:]

  func areSame(_ old: Any, _ new: Any) -> Bool {
    isSameAtOnce(old, new) ?? holdTheSame(old, new)
  }

  /// How elements of a type are compared, the type looked at once.
  func rule<T>(for type: T.Type) -> (T, T) -> Bool {
    guard let areEqual = Self.equality(of: T.self) else {
      // Not before two differ: most lists are the same, and need none.
      var known: FieldRules<T>??
      return { old, new in
        let fields = known ?? self.fieldRules(like: old)
        known = .some(fields)
        guard let fields else {
          return BitwiseEquality.areSameCleared(old, new) || self.areSame(old, new)
        }
        var rest: [(Any, Any)] = []
        return fields.areSame(old, new, &rest) && (rest.isEmpty || self.search(rest))
      }
    }
    return { old, new in
      areEqual(old, new) || (!areEqual(old, old) && self.holdTheSame(old, new))
    }
  }

  static func equality<T>(of type: T.Type) -> ((T, T) -> Bool)? {
    func open<E: Equatable>(_: E.Type) -> Any { Rule<E> { $0 == $1 } }
    guard let type = T.self as? any Equatable.Type else { return nil }
    return (open(type) as? Rule<T>)?.areSame
  }

  func fieldRules<T>(like sample: T) -> FieldRules<T>? {
    let type = ObjectIdentifier(T.self)
    if let known = fieldRules[type] { return known as? FieldRules<T> }
    let rules = FieldRules(like: sample, self)
    fieldRules[type] = .some(rules)
    return rules
  }

  /// `nil` if it takes a look into them.
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
    func open<E: Equatable>(_ old: E) -> Bool? {
      // The cast looks into an `Any?`, and the nil in it would be equal to that around it.
      guard E.self == type || E.self is AnyClass, let new = new as? E else { return nil }
      if old == new { return true }
      // What is not even equal to itself, for a NaN in it, is told by what it holds.
      return old == old ? false : nil
    }
    return (old as? any Equatable).flatMap { open($0) }
  }

  /// Objects of two classes may be equal by the `==` of one that both inherit from.
  private func inheritedEquality(_ old: Any, _ new: Any) -> Bool {
    guard type(of: old) is AnyClass, type(of: new) is AnyClass else { return false }
    func open<E: Equatable>(_: E.Type) -> Bool? {
      guard let old = old as? E, let new = new as? E else { return nil }
      return old == new
    }
    var mirror: Mirror? = Mirror(reflecting: old)
    while let level = mirror {
      if let type = level.subjectType as? any Equatable.Type, let verdict = open(type) {
        return verdict
      }
      mirror = level.superclassMirror
    }
    return false
  }

  /// Whether something in it, such as NaN, is not equal to itself.
  ///
  /// `==` of the whole need not tell: lists that share their storage are equal without a look.
  func holdsIrreflexive(_ value: Any) -> Bool {
    func open<E: Equatable>(_ value: E) -> Bool { value != value }
    var met: Set<ObjectPair> = []
    var values = [value]
    while let value = values.popLast() {
      if let equatable = value as? any Equatable, open(equatable) { return true }
      if let pair = ObjectPair(value, value), !met.insert(pair).inserted { continue }
      if let list = value as? any AnyList {
        values += (0..<list.length).map { list.item($0) }
      } else {
        values += (Self.contents(value, value) ?? []).map(\.0)
      }
    }
    return false
  }

  /// Which one of the members holds the same, if that one is not equal to itself.
  func irreflexivePartner(of member: Any, in members: [Any], but taken: Set<Int>) -> Int? {
    guard holdsIrreflexive(member) else { return nil }
    return members.indices.first { !taken.contains($0) && areSame(member, members[$0]) }
  }

  private func holdTheSame(_ old: Any, _ new: Any) -> Bool {
    if search([(old, new)], isNew: false) { return true }
    if let old = OptionalUnwrapping.core(of: old), let new = OptionalUnwrapping.core(of: new),
      let pair = ObjectPair(old, new)
    {
      unlike.insert(pair)
    }
    return false
  }

  /// - Parameter isNew: whether nobody has compared the pairs at once so far.
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
        if unlike.contains(pair) { return false }
        // What is being compared already, for a cycle, is the same if the rest is.
        if known.contains(pair) || !assumed.insert(pair).inserted { continue }
      }
      guard let areSame = areSameByFields(old, new, rest: &pairs) else {
        guard let inner = Self.contents(old, new) else { return false }
        pairs += inner
        continue
      }
      if !areSame { return false }
    }
    known.formUnion(assumed)
    return true
  }

  /// `nil` if only a mirror can tell.
  private func areSameByFields(_ old: Any, _ new: Any, rest: inout [(Any, Any)]) -> Bool? {
    func open<T>(_ old: T) -> Bool? {
      guard let fields = fieldRules(like: old), let new = new as? T else { return nil }
      return fields.areSame(old, new, &rest)
    }
    return open(old)
  }

  /// What must be the same for both to be, apart from elements that lie in memory alike; `nil` if
  /// they are not.
  private static func contents(_ old: Any, _ new: Any) -> [(Any, Any)]? {
    if let old = old as? any RedactedValue, let new = new as? any RedactedValue {
      return [(old.hidden, new.hidden)]
    }
    if let old = old as? any AnyOptional, let new = new as? any AnyOptional {
      switch (old.inner, new.inner) {
      case (nil, nil): return []
      case (let old?, let new?): return [(old, new)]
      default: return nil
      }
    }
    if !(old is any Presentable) {
      // What an actor holds is not ours to read: two are two.
      if type(of: old) is AnyClass, old is any Actor { return nil }
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
    default: return nil
    }
  }

  private static func contents(_ old: Mirror, _ new: Mirror) -> [(Any, Any)]? {
    var pairs: [(Any, Any)] = []
    var levels: (Mirror?, Mirror?) = (old, new)
    while let old = levels.0, let new = levels.1 {
      guard old.children.count == new.children.count else { return nil }
      for (old, new) in zip(old.children, new.children) {
        guard old.label == new.label else { return nil }
        pairs.append((old.value, new.value))
      }
      levels = (old.superclassMirror, new.superclassMirror)
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
      var pairs: [(Any, Any)] = []
      for key in old.allKeys {
        guard let was = old.value(for: key), let now = new.value(for: key) else { return nil }
        pairs.append((was, now))
      }
      return pairs
    case (.members(let old), .members(let new)):
      guard old.size == new.size else { return nil }
      return Array(zip(old.stable, new.stable))
    default: return nil
    }
  }
}

/// The `==` of a type; a class, so that a cast can show what it is the `==` of.
private final class Rule<T> {
  let areSame: (T, T) -> Bool
  init(_ areSame: @escaping (T, T) -> Bool) { self.areSame = areSame }
}

/// Two objects that are compared.
struct ObjectPair: Hashable {
  let old: ObjectIdentifier
  let new: ObjectIdentifier

  init?(_ old: Any, _ new: Any) {
    guard type(of: old) is AnyClass, type(of: new) is AnyClass else { return nil }
    self.old = ObjectIdentifier(old as AnyObject)
    self.new = ObjectIdentifier(new as AnyObject)
  }
}
