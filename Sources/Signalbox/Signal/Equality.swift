/// The function that compares two values; a class, so that main-actor closures can hold it.
@MainActor final class Equality<Value> {
  let areEqual: (Value, Value) -> Bool

  init(_ areEqual: @escaping (Value, Value) -> Bool) { self.areEqual = areEqual }

  init() where Value: Equatable { areEqual = { $0 == $1 } }

  /// The `==` of a type that is found to be `Equatable` at run time, or `nil` if it is not.
  static func found() -> Equality? {
    RuntimeEquality.function(of: Value.self).map { Equality($0) }
  }
}
