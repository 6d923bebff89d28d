/// Why a piece of work was cancelled.
enum CancelReason {
  /// Somebody asked for it, in the course of an event of the store or from outside.
  case requested(by: Int?)
  /// A newcomer of the same name took its place.
  case superseded(by: Work)
  /// It gave way to the work that was there.
  case ignored(for: Work)
  /// The store is gone.
  case closed
}
