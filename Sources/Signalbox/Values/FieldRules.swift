#if !canImport(Darwin)
@_spi(Reflection) import Swift
#endif

/// Compares structs or tuples without `==` field by field, by rules that are made once for a type.
///
/// A mirror would ask the runtime for the type of each field of each value, and box each field.
final class FieldRules<T> {
  private var rules: [Rule] = []

  /// Makes the rules of a type.
  ///
  /// Returns `nil` if only a mirror can find the type's fields.
  ///
  /// - Parameters:
  ///   - sample: any value of the type. It is not kept.
  ///   - equality: the comparison that the rules belong to. It provides the rules of the fields'
  ///     types.
  init?(like sample: T, _ equality: DeepEquality) {
    #if canImport(Darwin)
    // Apple's SDKs have no function that lists the fields of a type.
    return nil
    #else
    guard !(T.self is any CustomReflectable.Type), !(T.self is any Presentable.Type),
      !(T.self is any RedactedValue.Type), !(T.self is any AnyOptional.Type)
    else { return nil }
    let mirror = Mirror(reflecting: sample)
    // If the mirror's type is another one, `T` is an existential. The runtime crashes if it is
    // asked for the fields of an existential.
    guard mirror.subjectType == T.self,
      mirror.displayStyle == .struct || mirror.displayStyle == .tuple
    else { return nil }
    // Unsafe because of the C string with the name, which is not read. If a field has no key path,
    // such as a weak reference or a function, the call returns `false`.
    let hasAll = unsafe _forEachFieldWithKeyPath(of: T.self) { _, path in
      add(path, sample, equality)
    }
    guard hasAll, !rules.isEmpty, rules.count == mirror.children.count else { return nil }
    #endif
  }

  /// Whether two values are the same, as far as their fields can be compared at once.
  ///
  /// - Parameters:
  ///   - old: the old value.
  ///   - new: the new value.
  ///   - rest: receives the pairs that must also be the same.
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
        // Reading by the key path itself takes ten times as long. The offset and the type are those
        // that the key path has for a stored property.
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
    // Not for objects, which may be instances of subclasses, and not for lists, because lists that
    // share their storage are equal without a comparison of their elements.
    let isPlain = !(V.self is AnyClass) && !(V.self is any AnyList.Type)
    if isPlain, let areEqual = DeepEquality.equality(of: V.self) {
      return { old, new, rest in
        if areEqual(old, new) { return true }
        // A value that contains a NaN is not equal to itself. Its contents are compared instead.
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

  /// Compares a field of two values, given the addresses of the values.
  ///
  /// Only calling it is unsafe.
  @safe private struct Rule {
    let areSame: (UnsafeRawPointer, UnsafeRawPointer, inout [(Any, Any)]) -> Bool
  }
}
