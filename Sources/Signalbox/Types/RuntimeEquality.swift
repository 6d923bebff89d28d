/// Finds the `==` of types that the compiler does not know to be `Equatable`.
package enum RuntimeEquality {
  package static func exists(for type: Any.Type) -> Bool { type is any Equatable.Type }

  /// The `==` of a type; `nil` if it has none.
  static func function<T>(of type: T.Type) -> ((T, T) -> Bool)? {
    func open<E: Equatable>(_: E.Type) -> Any { Function<E> { $0 == $1 } }
    guard let type = T.self as? any Equatable.Type else { return nil }
    return (open(type) as? Function<T>)?.areEqual
  }

  /// `nil` if the type has no `==`, or if the values are not of that type.
  package static func areEqual(_ a: Any, _ b: Any, by type: Any.Type) -> Bool? {
    func open<E: Equatable>(_: E.Type) -> Bool? {
      guard let a = a as? E, let b = b as? E else { return nil }
      return a == b
    }
    guard let type = type as? any Equatable.Type else { return nil }
    return open(type)
  }

  /// The `==` of a type, in a class because only a cast can show which type it belongs to.
  private final class Function<T> {
    let areEqual: (T, T) -> Bool
    init(_ areEqual: @escaping (T, T) -> Bool) { self.areEqual = areEqual }
  }
}
