/// Unwraps optionals and `AnyHashable`.
package enum OptionalUnwrapping {
  package static func core(of value: Any) -> Any? {
    var value = value
    while true {
      if let optional = value as? any AnyOptional {
        guard let inner = optional.wrapped else { return nil }
        value = inner
      } else if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
        value = hashable.base
      } else {
        return value
      }
    }
  }

  /// The text of a `nil`, which shows the optionals around it, as in `some(nil)`.
  static func nilText(of value: Any) -> String {
    guard let optional = value as? any AnyOptional, let inner = optional.wrapped else {
      return "nil"
    }
    return "some(\(nilText(of: inner)))"
  }
}
