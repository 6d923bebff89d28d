#if !canImport(Darwin)
@_spi(Reflection) import Swift
#endif

/// Searches the stored properties of a type with a custom mirror, which may not show them.
enum StoredProperties {
  /// Whether a struct or an object has a `@Redacted` property.
  ///
  /// Apple's SDKs have no function that lists the properties, so none is found there. The search
  /// checks the types of the properties and does not read their values. Reflecting on the internal
  /// storage of standard library types crashes.
  static func areRedacted(in value: Any) -> Bool {
    #if canImport(Darwin)
    return false
    #else
    let type = type(of: value)
    let isObject = type is AnyClass
    guard isObject || isStruct(type) else { return false }
    var found = false
    // Unsafe because of the C string with the name, which is not read. The option for classes is
    // given as a number, because its name is a global variable, which strict concurrency rejects.
    _ = unsafe _forEachField(of: type, options: isObject ? .init(rawValue: 1) : []) {
      _, _, field, _ in
      found = field is any RedactedValue.Type
      return !found
    }
    return found
    #endif
  }

  #if !canImport(Darwin)
  /// A struct with a field of a type.
  private struct Box<T> {
    let value: T
  }

  /// Whether a type is a struct.
  ///
  /// The kind of a field tells it, because a custom mirror may not.
  private static func isStruct(_ type: Any.Type) -> Bool {
    func open<T>(_: T.Type) -> Bool {
      var isStruct = false
      _ = unsafe _forEachField(of: Box<T>.self) { _, _, _, kind in
        isStruct = kind == .struct
        return false
      }
      return isStruct
    }
    return _openExistential(type, do: open)
  }
  #endif
}
