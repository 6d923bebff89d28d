import Signalbox

/// What a save needs from a store.
@MainActor struct SavingStore {
  typealias Show = @MainActor (SaveStatus) -> Void
  /// A save, which is told how to show its status.
  typealias Save = @MainActor (@escaping Show) async throws -> Void

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
  let clock: any Clock<Duration>
  let pause: Duration
  let limit: Duration

  /// Whether neither a change in place nor a batch of the store is in progress.
  var isWhole: Bool {
    var isWhole = false
    whenWhole { isWhole = true }
    return isWhole
  }
}

/// The store of one `autosave`, and what its values are.
@MainActor final class SaveSource {
  /// Where the values come from that a flush saves although nothing has changed.
  enum Origin {
    /// The program has chosen them, and has not called `restore` yet.
    case new
    /// A restore has found them, or they are stored.
    case found
    /// The last restore has failed. None would miss them, and they do not continue the file.
    case failed
    /// They were kept beside the file, and only another change goes into it.
    case kept
  }

  let store: SavingStore
  var origin: Origin
  var basis: Basis
  var isOpen = true
  /// Whether something has changed while a newer store saves.
  var isHeldUp = false
  /// Why the last attempt with values of this store has not saved them; `nil` if it has.
  var error: SaveError?

  private let pauseTimer: OneShotTimer
  private let limitTimer: OneShotTimer
  private var isWaiting = false
  private var didHold: (@MainActor () -> Void)?

  init(_ store: SavingStore, origin: Origin, basis: Basis) {
    self.store = store
    self.origin = origin
    self.basis = basis
    pauseTimer = .on(store.clock)
    limitTimer = .on(store.clock)
  }

  /// Calls back after a pause without another call, and at the latest after the limit (P4).
  func wait(_ callback: @escaping @MainActor () -> Void) {
    if !isWaiting {
      isWaiting = true
      didHold = store.hold()
      limitTimer.set(after: store.limit, callback)
    }
    // On a clock that does not wait, a timer may have called back already.
    if isWaiting { pauseTimer.set(after: store.pause, callback) }
  }

  func stopWaiting() {
    isWaiting = false
    pauseTimer.cancel()
    limitTimer.cancel()
    didHold.take()?()
  }
}
