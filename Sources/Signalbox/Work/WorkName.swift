/// The name of a piece of work within its store.
///
/// A class, so that work without a name carries no more than a `nil`.
@MainActor final class WorkName {
  private let identifier: Identifier
  /// The same for equal names; found once, for it runs code of the user's.
  let hash: Int

  init(_ identifier: any Hashable & Sendable) {
    self.identifier = Identifier(identifier)
    hash = self.identifier.hashValue
  }

  /// Whether both name the same work; runs code of the user's.
  func isSame(as other: WorkName) -> Bool {
    // What is not equal to itself, such as NaN, still names the work that it was given to.
    self === other || identifier == other.identifier
  }
}

/// What work is named by, without the optionals around it: an optional that holds a name is that
/// name.
///
/// The type is part of it: `AnyHashable` alone holds `1 as Int` and `1 as UInt8` to be equal.
///
/// Unchecked, because what a `Sendable` optional holds is `Sendable`, which no cast can show.
struct Identifier: Hashable, @unchecked Sendable {
  private let type: ObjectIdentifier
  let value: AnyHashable

  init(_ identifier: any Hashable & Sendable) {
    var identifier: any Hashable = identifier
    while let wrapped = (identifier as? any OptionalIdentifier)?.wrapped as? any Hashable {
      identifier = wrapped
    }
    func typeID<T>(_: T) -> ObjectIdentifier { ObjectIdentifier(T.self) }
    type = typeID(identifier)
    value = AnyHashable(identifier)
  }
}

/// An optional, whatever it is of.
private protocol OptionalIdentifier {
  var wrapped: Any? { get }
}

extension Optional: OptionalIdentifier {
  fileprivate var wrapped: Any? { self }
}
