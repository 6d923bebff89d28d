/// Why a piece of work was cancelled.
enum CancelReason {
  /// The cancel was requested by code that an event caused, or, with `nil`, from outside.
  case requested(by: Int?)
  /// New work of the same name took its place.
  case superseded(by: Work)
  /// It gave way to existing work of the same name.
  case ignored(for: Work)
  /// The store was released, or the state of the child has gone.
  case closed
}
