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

/// An identifier of work, unwrapped from optionals and `AnyHashable` (X3), with its type because `AnyHashable` treats
/// `1 as Int` and `1 as UInt8` as equal.
struct Identifier: Hashable {
  private let type: ObjectIdentifier
  let value: AnyHashable

  init(_ identifier: any Hashable) {
    var identifier: any Hashable = identifier
    while let wrapped = (identifier as? any AnyOptional)?.wrapped as? any Hashable {
      identifier = wrapped
    }
    if let base = (identifier as? AnyHashable)?.base as? any Hashable { identifier = base }
    func typeID<T>(_: T) -> ObjectIdentifier { ObjectIdentifier(T.self) }
    type = typeID(identifier)
    value = AnyHashable(identifier)
  }
}
