/// What happens to new work when work of the same name is running or queued (A4).
///
/// The policy of the new work applies. Callers that wait for work that is cancelled or ignored are
/// resumed at once.
public enum Overlap: Sendable {
  /// Cancels all running and queued work of the name and starts the new work.
  case latest
  /// Ignores the new work while there is other work of the name.
  case first
  /// Makes the new work wait for the running work and take its outcome; starts it if there is none.
  case join
  /// Starts the new work when all work of the name that came before it has ended.
  case queue
  /// Starts the new work beside other work of the name.
  case concurrent
}
