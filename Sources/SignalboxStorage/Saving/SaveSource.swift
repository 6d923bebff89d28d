import Signalbox

/// The store of one `autosave`: where values come from, and where the status goes.
@MainActor final class SaveSource {
  /// Shows a status in the state.
  typealias Show = @MainActor (SaveStatus) -> Void
  /// A save, which is told how to show its status.
  typealias Save = @MainActor (@escaping Show) async throws -> Void

  /// What a store is made of.
  enum Basis {
    /// What the program has chosen, because it has not called `restore` yet.
    case noRestore
    /// Nothing that is stored, because the restore has failed.
    case failure
    /// What a restore has found.
    case values(History)
  }

  /// Whether a flush saves values in which nothing has changed.
  enum State {
    case news
    /// If they replace only what they come from.
    case mayBeNews
    /// After a restore that has failed, they are those of a new program, and none would miss them.
    case noNews
  }

  /// What a restore has found in the state, until that has changed.
  private struct Found {
    let snapshot: Snapshot
    /// Whether the hook may be told only afterwards of the change that has led to it.
    let isUntold: Bool
  }

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
  /// What the values of the store come from, and the values themselves.
  private(set) var history = History()
  /// The values as they are.
  private(set) var version = Version(line: 0, change: 0)
  /// Whether the values are news for the file although nothing has changed.
  private(set) var state = State.mayBeNews
  /// When the values were last changed, as a number that grows with each change of any store.
  var moment = 0
  private var found: Found?
  /// Whether the hook has not ended.
  var isOpen = true
  /// Whether the hook has ended in a batch, which may change the values all the same.
  var hasEndedInBatch = false
  /// Whether something has changed while the hook of another store saves.
  var isHeldUp = false
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

  /// Notes what the store is made of.
  func begin(line: Int, from basis: Basis) {
    switch basis {
    case .noRestore: state = .news
    case .failure: state = .noNews
    case .values(let history): self.history = history
    }
    note(Version(line: line, change: 0))
  }

  /// Notes that the values have changed.
  func change() {
    setFound(nil)
    state = .mayBeNews
    note(Version(line: version.line, change: version.change + 1))
  }

  private func note(_ version: Version) {
    self.version = version
    history.add(version)
  }

  /// Notes that a restore has given the values of the current version to another store.
  func wasFound(_ snapshot: Snapshot) {
    setFound(Found(snapshot: snapshot, isUntold: mayHaveChanged))
  }

  private func setFound(_ new: Found?) {
    // Released only after the access, because a deinit of the program may call back.
    let old = found
    found = new
    withExtendedLifetime(old) {}
  }

  /// The values that a restore has found, if the hook may be told now of the change that had led to
  /// them.
  var foundUntold: Snapshot? {
    found.flatMap { $0.isUntold || hasEndedInBatch ? $0.snapshot : nil }
  }

  /// Whether the values may have changed without a call of `hasChanged`.
  var mayHaveChanged: Bool { isOpen ? isUntold() : hasEndedInBatch }

  /// Whether neither a change in place nor a batch of the store is in progress.
  var isWhole: Bool {
    var isWhole = false
    whenWhole { isWhole = true }
    return isWhole
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
