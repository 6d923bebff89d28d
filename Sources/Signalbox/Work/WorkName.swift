/// The name of work within its store, a class so that work without a name stores a single `nil`.
@MainActor final class WorkName {
  let identifier: Identifier
  /// The hash of the name, computed once because hashing runs user code.
  let hash: Int

  init(_ identifier: any Hashable) {
    self.identifier = Identifier(identifier)
    hash = self.identifier.hashValue
  }

  /// Whether both names are equal; runs user code.
  func isSame(as other: WorkName) -> Bool {
    // A value that is not equal to itself, such as NaN, still names its own work.
    self === other || identifier == other.identifier
  }
}

/// An identifier of work, unwrapped from optionals and `AnyHashable` (X3), with its type.
// `AnyHashable` treats `1 as Int` and `1 as UInt8` as equal.
struct Identifier: Hashable {
  private let type: ObjectIdentifier
  let value: AnyHashable

  init(_ identifier: any Hashable) {
    var identifier: any Hashable = identifier
    while let inner = Self.inner(of: identifier) { identifier = inner }
    func typeID<T>(_: T) -> ObjectIdentifier { ObjectIdentifier(T.self) }
    type = typeID(identifier)
    value = AnyHashable(identifier)
  }

  private static func inner(of identifier: any Hashable) -> (any Hashable)? {
    // Any value can be cast to `AnyHashable`.
    if Swift.type(of: identifier as Any) == AnyHashable.self {
      return (identifier as? AnyHashable)?.base as? any Hashable
    }
    return (identifier as? any AnyOptional)?.wrapped as? any Hashable
  }
}
