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
