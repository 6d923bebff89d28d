import Foundation
import Signalbox

/// Decides when the values of one `SavedState` are saved (P4, P8).
///
///     change ──▶ newest ──▶ due (pause, limit, flush, end of the hook, retry)
///                  ▲                  │ no attempt is running
///                  │ failure          ▼
///                  └───────────── attempt ──▶ saved
///
/// At most one attempt runs. What has changed meanwhile is `newest`, whose values are taken only
/// when its own attempt begins, so of several changes only the newest is saved.
@MainActor final class Saver {
  /// The newest values that no attempt has taken.
  private enum Newest {
    /// They are in the state of a store.
    case live(SaveSource)
    /// They were taken when the hook ended, or an attempt with them has failed.
    case taken(Snapshot, SaveSource)

    var source: SaveSource {
      switch self {
      case .live(let source), .taken(_, let source): source
      }
    }
  }

  /// The attempt that is running.
  private struct Attempt {
    let snapshot: Snapshot
    let source: SaveSource
    var run: OutlivingRun?
    var waiters: [Waiter]
    var result: Result<Void, SaveError>?
  }

  /// A caller of `flush`.
  private struct Waiter {
    let continuation: CheckedContinuation<Void, any Error>
    let didWait: (@MainActor () -> Void)?
  }

  let file: SavedFile
  private var session = FileSession()
  private var wasBusy = false
  private var newest: Newest?
  private var attempt: Attempt?
  /// Whether `newest` is to be saved as soon as no attempt is running.
  private var isDue = false
  /// The callers that wait for the attempt after the running one.
  private var waiters: [Waiter] = []
  /// The hooks that have not ended, in the order in which they began.
  ///
  /// The first one saves.
  private var sources: [SaveSource] = []
  /// The number of restores that have read the file.
  private var restores = 0
  /// The number of restores that have failed.
  private var failedRestores = 0
  /// The restore that the values of the next store come from; a negative number of its own if that
  /// has failed.
  private var basis = 0
  private var failures = 0
  private var retry: OneShotTimer?

  init(_ file: SavedFile) { self.file = file }

  // MARK: - Restoring

  /// - Parameter migrate: makes the fields of an older version.
  func open(
    migrating migrate: (_ json: Data, _ version: Int) throws -> SavedFields
  ) -> SavedFile.Found {
    if let attempt { return found(during: attempt) }
    let others = session.others
    let found = file.open(&session, restore: restores + 1, migrating: migrate)
    wasBusy = if case .busy = found { true } else { false }
    switch found {
    case .busy, .newer, .unavailable:
      basis = basisOfNone()
      return found
    case .nothing, .fields, .setAside: break
    }
    restores += 1
    // What an earlier store has left is newer than the file, and on its way there. Unless it does
    // not come from the file: then its save sets the file aside.
    if let newest, session.known?.isBasis(of: newest.source.restore) ?? true,
      let fields = file.fields(of: snapshot(of: newest), others)
    {
      basis = newest.source.restore
      if case .setAside(_, let reason) = found { return .fields(fields, damage: reason) }
      return .fields(fields)
    }
    basis = restores
    return found
  }

  /// What a restore finds while a save uses the file.
  private func found(during attempt: Attempt) -> SavedFile.Found {
    basis = basisOfNone()
    if let obstacle = session.obstacle { return obstacle.found }
    // The save may still turn out not to be allowed.
    if wasBusy { return .busy }
    // What is saved is newer than the file.
    let snapshot = newest.map(snapshot(of:)) ?? attempt.snapshot
    guard let fields = file.fields(of: snapshot, session.others) else { return .busy }
    basis = (newest?.source ?? attempt.source).restore
    return .fields(fields)
  }

  /// What a store is made of after a restore that has failed, and no other store is.
  private func basisOfNone() -> Int {
    failedRestores += 1
    return -failedRestores
  }

  /// Keeps the fields that this version of the program does not know.
  func keep(_ others: [String: JSONValue]) { session.others = others }

  // MARK: - Changes

  func connect(_ source: SaveSource) {
    source.restore = basis
    sources.append(source)
  }

  func hasChanged(_ source: SaveSource) {
    guard sources.first === source else {
      source.isHeldUp = true
      return source.show(.failed(SaveError.busy.description))
    }
    newest = .live(source)
    // After a failure, the reason stays until a save has succeeded.
    if failures == 0 { source.show(.pending) }
    // An observer of the status may have ended the hook, which saves at once.
    guard source.isOpen else { return }
    source.wait { self.saveIsDue() }
  }

  /// Saves what has changed and is not saved, with the values of now.
  ///
  /// - Parameter hasChanged: whether there may be a change without a call of `hasChanged`.
  func hookHasEnded(_ source: SaveSource, hasChanged: Bool) {
    if hasChanged, sources.first === source { newest = .live(source) }
    source.isOpen = false
    source.stopWaiting()
    sources.removeAll { $0 === source }
    source.whenWhole { self.takeLast(of: source) }
  }

  private func takeLast(of source: SaveSource) {
    if case .live(let newestSource) = newest, newestSource === source {
      newest = .taken(source.snapshot(), source)
      saveIsDue()
    }
    if let next = sources.first, next.isHeldUp {
      next.isHeldUp = false
      hasChanged(next)
    }
  }

  /// Saves without waiting for the pause, and returns when that has succeeded.
  func flush() async throws {
    // A batch may be open here, and its state is not that of a commit. It ends before other code
    // runs on the main actor.
    await Task.yield()
    if let source = sources.first { newest = .live(source) }
    guard newest != nil || attempt != nil else {
      if let obstacle = session.obstacle { throw obstacle.error }
      if wasBusy { throw SaveError.busy }
      return
    }
    if newest != nil { saveIsDue() }
    // An attempt that has just begun has taken the newest values.
    let joins = newest == nil
    try await withCheckedThrowingContinuation { continuation in
      let waiter = Waiter(continuation: continuation, didWait: attempt?.run?.willWait())
      if joins { attempt?.waiters.append(waiter) } else { waiters.append(waiter) }
    }
    // What another store has changed is saved only when the hook of this one has ended.
    if sources.contains(where: \.isHeldUp) { throw SaveError.busy }
  }

  // MARK: - Attempts

  private func saveIsDue() {
    isDue = true
    newest?.source.stopWaiting()
    begin()
  }

  /// Begins an attempt if one is due and none is running.
  private func begin() {
    guard isDue, attempt == nil, let newest else { return }
    isDue = false
    retry.take()?.cancel()
    let source = newest.source
    source.stopWaiting()
    self.newest = nil
    let snapshot = snapshot(of: newest)
    attempt = Attempt(snapshot: snapshot, source: source, waiters: waiters)
    waiters = []
    // Both closures keep this object until the attempt has ended. Subscribers to the start of the run
    // may call back, so no access to `attempt` is in progress.
    let run = source.run(
      { show in try await self.carryOut(snapshot, of: source, show) }, { self.end() })
    attempt?.run = run
  }

  private func snapshot(of newest: Newest) -> Snapshot {
    switch newest {
    case .live(let source): source.snapshot()
    case .taken(let snapshot, _): snapshot
    }
  }

  private func carryOut(
    _ snapshot: Snapshot, of source: SaveSource, _ show: SaveSource.Show
  ) async throws {
    // The save has a copy of the session, and this one would keep the lock.
    session.dropLostLock()
    let outcome = await file.save(snapshot, restoredBy: source.restore, session)
    session = outcome.session
    wasBusy = outcome.error == .busy
    guard let error = outcome.error else {
      failures = 0
      attempt?.result = .success(())
      return show(newest == nil ? .saved : .pending)
    }
    attempt?.result = .failure(error)
    failures += 1
    // What has changed meanwhile is newer. If nothing has, the next attempt takes the values anew.
    if newest == nil { newest = source.isOpen ? .live(source) : .taken(snapshot, source) }
    show(.failed(error.description))
    if failures == 1, !source.isWatched() { complain(error) }
    // With an obstacle, only another restore helps. What cannot be encoded never can be.
    if session.obstacle == nil, snapshot.isEncoded { retryLater(on: source.clock) }
    throw error
  }

  /// Resumes the callers that wait for the attempt, and begins the next one if it is due.
  private func end() {
    guard let attempt = attempt.take() else { return }
    for waiter in attempt.waiters {
      waiter.didWait?()
      waiter.continuation.resume(with: (attempt.result ?? .success(())).mapError { $0 })
    }
    begin()
  }

  /// Sets the timer of the next attempt: after half a second, then twice as long each time, up to a
  /// minute.
  private func retryLater(on clock: any Clock<Duration>) {
    let pause = min(Duration.milliseconds(500) * (1 << min(failures - 1, 10)), .seconds(60))
    retry?.cancel()
    let timer = OneShotTimer.on(clock)
    retry = timer
    timer.set(after: pause) { self.saveIsDue() }
  }

  private func complain(_ error: SaveError) {
    SystemLog.report("Signalbox: \"\(file.name)\" was not saved. \(error)")
  }
}

extension FileSession.Obstacle {
  /// The error of a save that is not allowed.
  var error: SaveError {
    switch self {
    case .newer(let version): .newer(version)
    case .unavailable: .unavailable("Call restore(into:) again.")
    }
  }

  /// What a restore finds while it stands.
  fileprivate var found: SavedFile.Found {
    switch self {
    case .newer(let version): .newer(version)
    case .unavailable: .unavailable("A save has tried to read it. Call restore(into:) again.")
    }
  }
}
