/// How two values of a type are compared.
///
/// A class, so that main-actor closures may hold it.
@MainActor final class Equality<Value> {
  let areEqual: (Value, Value) -> Bool

  init(_ areEqual: @escaping (Value, Value) -> Bool) { self.areEqual = areEqual }

  init() where Value: Equatable { areEqual = { $0 == $1 } }

  /// The `==` of a type that turns out to be `Equatable`; `nil` for one that is not.
  static func found() -> Equality? {
    func open<T: Equatable>(_ type: T.Type) -> Equality? {
      // `T` is `Value`, which only the cast can show.
      Equality<T>() as? Equality
    }
    guard let type = Value.self as? any Equatable.Type else { return nil }
    return open(type)
  }
}
