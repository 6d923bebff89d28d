import Signalbox

/// Tracks the work of a store under test from before it starts until it has ended.
@MainActor final class WorkTracker: StoreFollower {
  let inFlight = InFlight()
  /// Called when a hook can no longer fire.
  var hookIsOver: @MainActor () -> Void = {}

  func start(_ name: String, _ start: () -> Void) -> @MainActor () -> Void {
    let piece = inFlight.begin(name)
    InFlight.Piece.$current.withValue(piece, operation: start)
    return { piece.end() }
  }

  /// The current work waits for other work.
  ///
  /// It does not count as busy until the closure is called.
  func willWait() -> @MainActor () -> Void {
    let piece = InFlight.Piece.current
    piece?.beginWaiting()
    return { piece?.endWaiting() }
  }

  /// The current work only listens.
  ///
  /// It does not count as busy until the closure is called.
  func willListen() -> @MainActor () -> Void {
    let piece = InFlight.Piece.current
    piece?.beginListening()
    return { piece?.endListening() }
  }

  func hookIsOver(_ name: String) { hookIsOver() }
}
