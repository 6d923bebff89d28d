/// The error for work that would deadlock, because it awaits an action that is waiting for it.
///
/// The awaited action may wait because of its overlap, directly or through other work. The work
/// continues without waiting, and the error is reported as unhandled (A2). A wait is attributed to
/// the work through whose store the action was dispatched. This includes waits in a `Task` that an
/// action has made, as long as the action has not ended.
public struct EndlessWait: Error, CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String {
    """
    would deadlock, because it awaits an action that is waiting for it. It continues without \
    waiting. Dispatch that action without await (or with send), or give it another overlap.
    """
  }
}
