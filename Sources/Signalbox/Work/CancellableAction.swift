/// An action whose work has a name, so that it can be cancelled and superseded (A4).
///
///     enum SearchAction: CancellableAction {
///       case search(String), clear
///
///       var cancelIdentifier: String? {
///         switch self {
///         case .search: "search"
///         case .clear: nil
///         }
///       }
///     }
public protocol CancellableAction {
  /// The type of the names. Names of different types are different.
  associatedtype CancelIdentifier: Hashable & Sendable = String

  /// The name of the work, within its store; `nil` for an action that is never replaced.
  var cancelIdentifier: CancelIdentifier? { get }

  /// What the action does about work of the same name that is not done yet.
  var overlap: Overlap { get }
}

extension CancellableAction {
  /// The newcomer cancels the one before.
  public var overlap: Overlap { .latest }
}

/// The name of a piece of work within its store.
///
/// The type is part of it: `AnyHashable` alone holds `1 as Int` and `1 as UInt8` to be equal. A
/// class, so that work without a name carries no more than a `nil`.
final class WorkName: Hashable, Sendable {
  private let type: ObjectIdentifier
  private let identifier: any Hashable & Sendable

  init(_ identifier: any Hashable & Sendable) {
    func typeID<T>(_: T) -> ObjectIdentifier { ObjectIdentifier(T.self) }
    type = typeID(identifier)
    self.identifier = identifier
  }

  static func == (l: WorkName, r: WorkName) -> Bool {
    func isEqual<T: Equatable>(_ identifier: T) -> Bool { r.identifier as? T == identifier }
    return l.type == r.type && isEqual(l.identifier)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    identifier.hash(into: &hasher)
  }
}
