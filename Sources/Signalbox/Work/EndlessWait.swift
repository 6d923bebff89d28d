/// Work has awaited an action that waits for this very work, by its overlap or by way of others.
///
/// It would never end, so it goes on without waiting, and the error is reported as unhandled.
public struct EndlessWait: Error, CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String {
    """
    awaits an action that waits for it in turn; it goes on without waiting. Dispatch that action \
    without await (or with send), or give it another overlap.
    """
  }
}
