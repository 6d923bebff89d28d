#if !canImport(Darwin)
@_spi(Reflection) import Swift
#endif

/// How structs and tuples without a `==` are compared field by field, found out once for a type.
///
/// A mirror asks the runtime for the type of each field of each value, and boxes what it finds.
final class FieldRules<T> {
  private var rules: [Rule] = []

  /// `nil` if only a mirror can tell what a value consists of.
  ///
  /// - Parameter sample: any value of the type; it is not kept.
  init?(like sample: T, _ equality: DeepEquality) {
    #if canImport(Darwin)
    // The SDK leaves out what tells the fields of a type.
    return nil
    #else
    guard !(T.self is any CustomReflectable.Type), !(T.self is any Presentable.Type),
      !(T.self is any RedactedValue.Type), !(T.self is any AnyOptional.Type)
    else { return nil }
    let mirror = Mirror(reflecting: sample)
    // Where the type of what is inside is another, this is an existential; the runtime crashes if
    // it is asked for the fields of one.
    guard mirror.subjectType == T.self,
      mirror.displayStyle == .struct || mirror.displayStyle == .tuple
    else { return nil }
    // Unsafe is the C string of the name, which is not read. Where there is no key path to a
    // field, as for a weak one or a function, it ends with `false`.
    let hasAll = unsafe _forEachFieldWithKeyPath(of: T.self) { _, path in
      add(path, sample, equality)
    }
    guard hasAll, !rules.isEmpty, rules.count == mirror.children.count else { return nil }
    #endif
  }

  /// Whether two values are the same, as far as the fields can tell at once.
  ///
  /// - Parameter rest: what has to be the same as well; added to.
  func areSame(_ old: T, _ new: T, _ rest: inout [(Any, Any)]) -> Bool {
    unsafe withUnsafePointer(to: old) { old in
      unsafe withUnsafePointer(to: new) { new in
        for rule in rules {
          guard unsafe rule.areSame(old, new, &rest) else { return false }
        }
        return true
      }
    }
  }

  private func add(_ path: PartialKeyPath<T>, _ sample: T, _ equality: DeepEquality) -> Bool {
    guard let offset = MemoryLayout<T>.offset(of: path) else { return false }
    func open<V>(_: V.Type) -> Bool {
      guard let path = path as? KeyPath<T, V> else { return false }
      let areSame = Self.rule(like: sample[keyPath: path], equality)
      let rule = unsafe Rule { old, new, rest in
        // Reading by the key path itself takes ten times as long. Both the offset and the type are
        // what it says of a stored property.
        let old = unsafe (old + offset).assumingMemoryBound(to: V.self)
        let new = unsafe (new + offset).assumingMemoryBound(to: V.self)
        return unsafe areSame(old.pointee, new.pointee, &rest)
      }
      rules.append(rule)
      return true
    }
    let type: any Any.Type = type(of: path).valueType
    return open(type)
  }

  private static func rule<V>(
    like field: V, _ equality: DeepEquality
  ) -> (V, V, inout [(Any, Any)]) -> Bool {
    // Objects may be of subclasses, and lists are equal without a look where they share storage.
    let isPlain = !(V.self is AnyClass) && !(V.self is any AnyList.Type)
    if isPlain, let areEqual = DeepEquality.equality(of: V.self) {
      return { old, new, rest in
        if areEqual(old, new) { return true }
        // What is not even equal to itself, for a NaN in it, is told by what it holds.
        if areEqual(old, old) { return false }
        rest.append((old, new))
        return true
      }
    }
    if let fields = equality.fieldRules(like: field) { return fields.areSame }
    return { old, new, rest in
      if !BitwiseEquality.areSame(old, new) { rest.append((old, new)) }
      return true
    }
  }

  /// How a field is compared, given where two values begin: what is unsafe is to apply it.
  @safe private struct Rule {
    let areSame: (UnsafeRawPointer, UnsafeRawPointer, inout [(Any, Any)]) -> Bool
  }
}
