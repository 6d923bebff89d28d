/// An optional of any type.
package protocol AnyOptional {
  var isNil: Bool { get }
  var wrapped: Any? { get }
  static var wrappedType: Any.Type { get }
  /// Whether the optional of this type at an address is `nil`, without a copy of it.
  static func isNil(at address: UnsafeRawPointer) -> Bool
}

extension Optional: AnyOptional {
  package var isNil: Bool { self == nil }
  package var wrapped: Any? { self }
  package static var wrappedType: Any.Type { Wrapped.self }

  // The caller has checked that an optional of this type is at the address.
  package static func isNil(at address: UnsafeRawPointer) -> Bool {
    if case .none = unsafe address.assumingMemoryBound(to: Self.self).pointee {
      true
    } else {
      false
    }
  }
}
