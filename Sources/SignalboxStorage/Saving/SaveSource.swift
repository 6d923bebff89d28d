import Signalbox

/// The store of one `autosave`: where values come from, and where the status goes.
@MainActor final class SaveSource {
  /// Shows a status in the state.
  typealias Show = @MainActor (SaveStatus) -> Void
  /// A save, which is told how to show its status.
  typealias Save = @MainActor (@escaping Show) async throws -> Void

  /// Takes the values of the saved properties.
  let snapshot: @MainActor () -> Snapshot
  let show: Show
  /// Starts a save as a run of the store, and calls back when it has ended.
  let run: @MainActor (@escaping Save, @escaping @MainActor () -> Void) -> OutlivingRun
  /// Calls back when the state is that of a commit, now or at the end of a batch.
  let whenWhole: @MainActor (@escaping @MainActor () -> Void) -> Void
  /// Tells a test store that a change waits.
  let hold: @MainActor () -> (@MainActor () -> Void)?
  /// Whether the app can see a failure, in the state or in the events of the store.
  let isWatched: @MainActor () -> Bool
  /// Whether the hook may not have been told of a change yet.
  let isUntold: @MainActor () -> Bool
  /// The restore that the state of the store comes from; negative if that has failed.
  var restore = 0
  /// Whether the hook has not ended.
  var isOpen = true
  /// Whether something has changed while the hook of another store saves.
  var isHeldUp = false
  /// Whether anything has changed since the hook began.
  var isTouched = false
  /// The values at the end of the hook, if that of another store saves.
  var last: Snapshot?

  let clock: any Clock<Duration>
  private let pause: Duration
  private let most: Duration
  private let pauseTimer: OneShotTimer
  private let limitTimer: OneShotTimer
  private var isWaiting = false
  private var didHold: (@MainActor () -> Void)?

  init(
    pause: Duration, most: Duration, clock: any Clock<Duration>,
    snapshot: @escaping @MainActor () -> Snapshot,
    show: @escaping Show,
    run: @escaping @MainActor (@escaping Save, @escaping @MainActor () -> Void) -> OutlivingRun,
    whenWhole: @escaping @MainActor (@escaping @MainActor () -> Void) -> Void,
    hold: @escaping @MainActor () -> (@MainActor () -> Void)?,
    isWatched: @escaping @MainActor () -> Bool,
    isUntold: @escaping @MainActor () -> Bool
  ) {
    self.pause = pause
    self.most = most
    self.clock = clock
    self.snapshot = snapshot
    self.show = show
    self.run = run
    self.whenWhole = whenWhole
    self.hold = hold
    self.isWatched = isWatched
    self.isUntold = isUntold
    pauseTimer = .on(clock)
    limitTimer = .on(clock)
  }

  /// Calls back after a pause without another call, and at the latest after the limit (P4).
  func wait(_ callback: @escaping @MainActor () -> Void) {
    if !isWaiting {
      isWaiting = true
      didHold = hold()
      limitTimer.set(after: most, callback)
    }
    // On a clock that does not wait, a timer may have called back already.
    if isWaiting { pauseTimer.set(after: pause, callback) }
  }

  /// Drops the callbacks, because a save begins.
  func stopWaiting() {
    isWaiting = false
    pauseTimer.cancel()
    limitTimer.cancel()
    didHold.take()?()
  }
}
