import Signalbox

/// Tracks the work of a store under test from before it starts until it has returned.
@MainActor final class WorkTracker: WorkFollower {
  let inFlight: InFlight
  /// Values that operators of hooks hold back, which are not work.
  let held: InFlight
  /// Hooks that iterate async sequences, which is not work.
  let sequences: InFlight
  /// Called when the test itself waits for work, or with `nil` for a value of the state.
  var testWaits:
    @MainActor (_ event: Int?, _ giveUp: @escaping @MainActor () -> Void) ->
      @MainActor () -> Void = { _, _ in {} }
  /// Called with the first event of work that begins.
  private let workBegins: @MainActor (Int) -> Void

  init(in activity: Activity, _ workBegins: @escaping @MainActor (Int) -> Void) {
    inFlight = InFlight(activity)
    held = InFlight(activity)
    sequences = InFlight(activity)
    self.workBegins = workBegins
  }

  // A sequence goes back to the main actor with its element.
  var mayHop: Bool { inFlight.mayHop || !sequences.isEmpty }

  func willStart(_ name: String, event: Int?) -> any FollowedWork {
    if let event { workBegins(event) }
    return inFlight.begin(name, event: event)
  }

  func willWait(
    for event: Int?, orGiveUp giveUp: (@MainActor () -> Void)?
  ) -> @MainActor () -> Void {
    if Piece.current == nil, let giveUp { return testWaits(event, giveUp) }
    return Piece.park(for: .work(event: event))
  }

  func willWaitForValue(orGiveUp giveUp: @escaping @MainActor () -> Void)
    -> (@MainActor () -> Void)?
  {
    Piece.current == nil ? testWaits(nil, giveUp) : nil
  }

  func willListen() -> @MainActor () -> Void { Piece.park(for: .source) }

  func willHold(
    for interval: Duration, on clock: any Clock<Duration>, hook: String
  ) -> @MainActor () -> Void {
    guard let clock = clock as? TestClock else {
      let piece = held.begin("the value that hook \(hook) holds back for \(interval) of real time")
      return { piece.isOver() }
    }
    let piece = held.begin("the value that hook \(hook) holds back")
    _ = piece.beginWaiting(for: .interval(clock, until: clock.now.advanced(by: interval)))
    return { piece.isOver() }
  }

  func willIterate(_ hook: String) -> any FollowedWork { sequences.begin("hook \(hook)") }

  func hookIsOver() { inFlight.activity.hasChanged() }
}
