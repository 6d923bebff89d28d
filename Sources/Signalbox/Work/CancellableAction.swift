/// An action whose work has a name, by which it can be cancelled and superseded (A4).
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
  /// The type of the names.
  ///
  /// Names of different types are different names.
  associatedtype CancelIdentifier: Hashable = String

  /// The name of the work within its store; `nil` for an action without a name, which does not
  /// collide with other work.
  var cancelIdentifier: CancelIdentifier? { get }

  /// What happens to running and queued work of the same name when the action is dispatched.
  var overlap: Overlap { get }
}

extension CancellableAction {
  /// The default policy, `.latest`, which cancels all earlier work of the name.
  public var overlap: Overlap { .latest }
}
