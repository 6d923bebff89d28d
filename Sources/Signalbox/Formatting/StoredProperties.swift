#if !canImport(Darwin)
@_spi(Reflection) import Swift
#endif

/// The stored properties of a value that has a mirror of its own.
///
/// Apple's SDKs leave out what tells them; there, nothing is found.
enum StoredProperties {
  /// Whether one of them is `@Redacted`, of a struct or an object.
  static func areRedacted(in value: Any) -> Bool {
    #if canImport(Darwin)
    return false
    #else
    let type = type(of: value)
    let options = type is AnyClass ? classType : []
    guard type is AnyClass || isStruct(type) else { return false }
    var found = false
    // Unsafe is the C string of the name, which is not read.
    _ = unsafe _forEachField(of: type, options: options) { _, _, field, _ in
      found = field is any Hidden.Type
      return !found
    }
    return found
    #endif
  }

  /// What they hold, of a struct; of an object, whose properties may be weak, nothing.
  static func values(of value: Any) -> [Any] {
    #if canImport(Darwin)
    return []
    #else
    func open<T>(_: T.Type) -> [Any] {
      // By its own type: what a mirror gives may be an existential in an existential.
      guard let value = value as? T else { return [] }
      var values: [Any] = []
      // Unsafe is the C string of the name, which is not read.
      _ = unsafe _forEachFieldWithKeyPath(of: T.self, options: ignoreUnknown) { _, path in
        values.append(value[keyPath: path])
        return true
      }
      return values
    }
    return isStruct(type(of: value)) ? _openExistential(type(of: value), do: open) : []
    #endif
  }

  #if !canImport(Darwin)
  // By their numbers: the names are variables, which strict concurrency refuses.
  private static let classType = _EachFieldOptions(rawValue: 1)
  private static let ignoreUnknown = _EachFieldOptions(rawValue: 2)

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
