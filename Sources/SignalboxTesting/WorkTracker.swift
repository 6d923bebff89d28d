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

  /// Records that the current work starts to wait for other work.
  ///
  /// - Returns: a closure that ends the wait. Until then, the work does not count as busy.
  func willWait() -> @MainActor () -> Void {
    let piece = InFlight.Piece.current
    piece?.beginWaiting()
    return { piece?.endWaiting() }
  }

  /// Records that the current work starts to wait for an outside source.
  ///
  /// - Returns: a closure that ends the wait. Until then, the work does not count as busy.
  func willListen() -> @MainActor () -> Void {
    let piece = InFlight.Piece.current
    piece?.beginListening()
    return { piece?.endListening() }
  }

  func hookIsOver(_ name: String) { hookIsOver() }
}
