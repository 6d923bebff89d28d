import Signalbox

/// Tracks the work of a store under test from before it starts until it has returned.
@MainActor final class WorkTracker: StoreFollower {
  let inFlight: InFlight
  /// Values that operators of hooks hold back, which are not work.
  let held: InFlight
  /// The number of the store among those of its test.
  var store = 0
  /// Called with the first event of work that begins.
  private let workBegins: @MainActor (Int) -> Void

  init(in activity: Activity, _ workBegins: @escaping @MainActor (Int) -> Void) {
    inFlight = InFlight(activity)
    held = InFlight(activity)
    self.workBegins = workBegins
  }

  func willStart(_ name: String, event: Int?) -> any FollowedWork {
    if let event { workBegins(event) }
    return inFlight.begin(name, event: event)
  }

  func willWait(for event: Int?) -> @MainActor () -> Void {
    inFlight.touch(event)
    return wait(.work(event: event))
  }

  func willUse(event: Int?) { inFlight.touch(event) }

  func willUse(_ name: (any Hashable)?) {
    guard let footprints = inFlight.activity.footprints else { return }
    if let name {
      footprints.touch(.name(store: store, Footprint.AnyName(name)))
    } else {
      footprints.touchUnknown()
    }
  }

  func willDeliver(to hook: String) {
    inFlight.activity.footprints?.touch(.hook(store: store, hook))
  }

  func willListen() -> @MainActor () -> Void { wait(.source) }

  /// Records that the current work waits for something that the kit knows.
  ///
  /// - Returns: a closure that ends the wait. Until then, the work does not count as busy.
  private func wait(_ wait: Piece.Wait) -> @MainActor () -> Void {
    let parked = ParkedTask(for: wait)
    return { parked?.wake() }
  }

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

  func hookIsOver(_ name: String) { inFlight.activity.hasChanged() }
}
