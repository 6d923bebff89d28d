import Signalbox

/// Follows the work of a store under test from before it starts until it is over.
@MainActor final class WorkTracker: StoreFollower {
  let inFlight = InFlight()
  /// Is told when a hook cannot fire any more.
  var hookIsOver: @MainActor () -> Void = {}

  func start(_ name: String, _ start: () -> Void) -> @MainActor () -> Void {
    let piece = inFlight.begin(name)
    InFlight.Piece.$current.withValue(piece, operation: start)
    return { piece.end() }
  }

  /// What waits for other work is no busier than that is.
  func willWait() -> @MainActor () -> Void {
    let piece = InFlight.Piece.current
    piece?.wait()
    return { piece?.goOn() }
  }

  /// What only listens is busy with nothing.
  func willListen() -> @MainActor () -> Void {
    let piece = InFlight.Piece.current
    piece?.listen()
    return { piece?.hear() }
  }

  func hookIsOver(_ name: String) { hookIsOver() }
}
