/// Work has awaited an action that waits for this very work, by its overlap or by way of others.
///
/// It would never end, so it goes on without waiting, and the error is reported as unhandled. It is
/// known by the store through which it dispatched: a `Task` that an action leaves behind counts as
/// the action for as long as that is under way.
public struct EndlessWait: Error, CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String {
    """
    awaits an action that waits for it in turn; it goes on without waiting. Dispatch that action \
    without await (or with send), or give it another overlap.
    """
  }
}
