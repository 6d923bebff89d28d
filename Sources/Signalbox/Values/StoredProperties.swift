#if !canImport(Darwin)
@_spi(Reflection) import Swift
#endif

/// The stored properties of a type that has a mirror of its own, which need not show them.
enum StoredProperties {
  /// Whether one of them is `@Redacted`, of a struct or an object.
  ///
  /// Apple's SDKs leave out what tells them; there, none is found. They are told by their types, and
  /// not read: to reflect on what types of the standard library hold inside crashes.
  static func areRedacted(in value: Any) -> Bool {
    #if canImport(Darwin)
    return false
    #else
    let type = type(of: value)
    let isObject = type is AnyClass
    guard isObject || isStruct(type) else { return false }
    var found = false
    // Unsafe is the C string of the name, which is not read. An option by its number, that of
    // classes: its name is a variable, which strict concurrency refuses.
    _ = unsafe _forEachField(of: type, options: isObject ? .init(rawValue: 1) : []) {
      _, _, field, _ in
      found = field is any RedactedValue.Type
      return !found
    }
    return found
    #endif
  }

  #if !canImport(Darwin)
  private struct Box<T> {
    let value: T
  }

  /// Asked of a field, since a mirror of its own may say anything.
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
