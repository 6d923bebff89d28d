/// What a piece of work does about work of the same name that is not done yet (A4).
///
/// The policy is the newcomer's. Whoever waits for work that is cancelled or ignored is resumed
/// at once.
public enum Overlap: Sendable {
  /// Cancels all of that name, running or queued, and starts.
  case latest
  /// Is ignored while there is any.
  case first
  /// Waits for the running one and has its result; starts if there is none.
  case join
  /// Starts after all that came before it have ended.
  case queue
  /// Starts beside the others.
  case concurrent
}
