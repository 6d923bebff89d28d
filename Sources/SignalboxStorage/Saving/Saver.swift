import Foundation
import Signalbox

/// Decides when the values of one `SavedState` are saved (P4, P8).
///
///     change ──▶ queue ──▶ due (pause, limit, flush, end of the hook, retry)
///                  ▲                 │ no attempt is running
///                  │ failure         ▼
///                  └──────────── attempt ──▶ saved
///
/// At most one attempt runs. What has changed meanwhile is in the queue. Its values are taken only
/// when its own attempt begins, so of several changes only the newest is saved.
@MainActor final class Saver {
  /// The attempt that is running.
  private struct Attempt {
    let snapshot: Snapshot
    let source: SaveSource
    /// Whether nothing else was due when it began.
    let isLast: Bool
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
  private var queue = SaveQueue()
  private var attempt: Attempt?
  /// Whether the queue is to be saved as soon as no attempt is running.
  private var isDue = false
  /// The callers that wait for the attempt that empties the queue.
  private var waiters: [Waiter] = []
  /// The hooks that have not ended or whose last values wait, in the order in which they began.
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
  private let failures = SaveFailures()

  init(_ file: SavedFile) { self.file = file }

  // MARK: - Restoring

  /// - Parameter migrate: makes the fields of an older version.
  func open(
    migrating migrate: (_ json: Data, _ version: Int) throws -> SavedFields
  ) -> SavedFile.Found {
    noteUntold()
    if let attempt { return found(during: attempt) }
    defer { retryPending() }
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
    if let entry = queue.last(where: { session.known?.isBasis(of: $0) ?? true }),
      let fields = file.fields(of: entry.snapshot, others)
    {
      basis = entry.source.restore
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
    let snapshot = queue.newest?.snapshot ?? attempt.snapshot
    guard let fields = file.fields(of: snapshot, session.others) else { return .busy }
    basis = (queue.newest?.source ?? attempt.source).restore
    return .fields(fields)
  }

  /// Notes a change in the same delivery, of which the hook is told only afterwards.
  private func noteUntold() {
    guard let source = sources.first, source.isOpen, !queue.isLive(source) else { return }
    var isWhole = false
    source.whenWhole { isWhole = true }
    guard isWhole, source.isUntold() else { return }
    source.isTouched = true
    queue.add(SaveQueue.Entry(source: source))
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
    if sources.first === source { showPending(source) }
  }

  /// Shows that values of an earlier store are not stored.
  private func showPending(_ source: SaveSource) {
    if attempt != nil || !queue.isEmpty { source.show(statusOfPending) }
  }

  /// After a failure, the reason stays until a save has succeeded.
  private var statusOfPending: SaveStatus {
    failures.last.map { .failed($0.description) } ?? .pending
  }

  func hasChanged(_ source: SaveSource) {
    source.isTouched = true
    guard sources.first === source else {
      source.isHeldUp = true
      return source.show(.failed(SaveError.busy.description))
    }
    queue.add(SaveQueue.Entry(source: source))
    source.show(statusOfPending)
    // An observer of the status may have ended the hook, which saves at once.
    guard source.isOpen else { return }
    source.wait { self.saveIsDue() }
  }

  /// Saves what has changed and is not saved, with the values of now.
  ///
  /// - Parameter hasChanged: whether there may be a change without a call of `hasChanged`.
  func hookHasEnded(_ source: SaveSource, hasChanged: Bool) {
    if hasChanged {
      source.isTouched = true
      if sources.first === source {
        queue.add(SaveQueue.Entry(source: source))
      } else {
        source.isHeldUp = true
      }
    }
    source.isOpen = false
    source.stopWaiting()
    // Otherwise its last values wait in its place.
    if sources.first === source || !source.isHeldUp { sources.removeAll { $0 === source } }
    source.whenWhole { self.takeLast(of: source) }
  }

  private func takeLast(of source: SaveSource) {
    if sources.contains(where: { $0 === source }) {
      source.last = source.snapshot()
    } else if queue.take(source) {
      saveIsDue()
    }
    while let next = sources.first, !next.isOpen, let last = next.last {
      sources.removeFirst()
      queue.add(SaveQueue.Entry(source: next, taken: last))
      saveIsDue()
    }
    guard let next = sources.first, next.isOpen else { return }
    guard next.isHeldUp else { return showPending(next) }
    next.isHeldUp = false
    hasChanged(next)
  }

  /// Saves without waiting for the pause, and returns when that has succeeded.
  func flush() async throws {
    // A batch may be open here, and its state is not that of a commit. It ends before other code
    // runs on the main actor.
    await Task.yield()
    if let source = sources.first, source.isOpen, mayHaveNews(source) {
      queue.add(SaveQueue.Entry(source: source))
    }
    guard !queue.isEmpty || attempt != nil else {
      if let obstacle = session.obstacle { throw obstacle.error }
      if wasBusy { throw SaveError.busy }
      return
    }
    if !queue.isEmpty { saveIsDue() }
    // An attempt that has just begun has taken the newest values.
    let joins = queue.isEmpty
    try await withCheckedThrowingContinuation { continuation in
      let waiter = Waiter(continuation: continuation, didWait: attempt?.run?.willWait())
      if joins { attempt?.waiters.append(waiter) } else { waiters.append(waiter) }
    }
    // What another store has changed is saved only when the hook of this one has ended.
    if sources.contains(where: \.isHeldUp) { throw SaveError.busy }
  }

  /// Whether a save of the state could store anything that is not stored.
  ///
  /// What a program puts into its first state counts, too. But after a restore that has failed, it
  /// would push the file aside for the values of a new program.
  private func mayHaveNews(_ source: SaveSource) -> Bool {
    source.isTouched || (source.restore >= 0 && queue.isEmpty && attempt == nil)
  }

  // MARK: - Attempts

  private func saveIsDue() {
    isDue = true
    queue.newest?.source.stopWaiting()
    begin()
  }

  /// Begins an attempt if one is due and none is running.
  private func begin() {
    guard isDue, attempt == nil, let entry = queue.removeFirst() else { return }
    isDue = false
    failures.stopWaiting()
    let source = entry.source
    source.stopWaiting()
    let snapshot = entry.snapshot
    let isLast = queue.isEmpty
    attempt = Attempt(
      snapshot: snapshot, source: source, isLast: isLast, waiters: isLast ? waiters : [])
    if isLast { waiters = [] }
    // Both closures keep this object until the attempt has ended. Subscribers to the start of the run
    // may call back, so no access to `attempt` is in progress.
    let run = source.run(
      { show in try await self.carryOut(snapshot, of: source, show) }, { self.end() })
    attempt?.run = run
  }

  private func carryOut(
    _ snapshot: Snapshot, of source: SaveSource, _ show: SaveSource.Show
  ) async throws {
    // The save has a copy of the session, and this one would keep the lock.
    session.dropLostLock()
    let outcome = await file.save(snapshot, restoredBy: source.restore, session)
    session = outcome.session
    wasBusy = outcome.error == .busy
    failures.hasEnded(outcome.error)
    // The store that is there now shows it, too.
    defer {
      if let next = sources.first, next !== source, !next.isHeldUp {
        next.show(queue.isEmpty ? .saved : statusOfPending)
      }
    }
    guard let error = outcome.error else {
      attempt?.result = .success(())
      if attempt?.isLast == false { isDue = true }
      return show(queue.isEmpty ? .saved : .pending)
    }
    attempt?.result = .failure(error)
    // What cannot be encoded never can be, and must not keep the values of another store waiting.
    let isHopeless = !snapshot.isEncoded && !source.isOpen && !queue.isEmpty
    if isHopeless {
      isDue = true
    } else {
      // The next attempt takes the values anew.
      queue.putBack(SaveQueue.Entry(source: source, taken: source.isOpen ? nil : snapshot))
    }
    show(.failed(error.description))
    if failures.isFirst, !source.isWatched(), sources.first?.isWatched() != true { complain(error) }
    // With an obstacle, only another restore helps.
    if session.obstacle == nil, snapshot.isEncoded {
      failures.retry(on: source.clock) { self.saveIsDue() }
    }
    throw error
  }

  /// Resumes the callers that wait for the attempt, and begins the next one if it is due.
  private func end() {
    guard let attempt = attempt.take() else { return }
    let result = (attempt.result ?? .success(())).mapError { $0 as any Error }
    resume(attempt.waiters, result)
    begin()
    // There is nothing left that they could wait for.
    if self.attempt == nil {
      let waiters = waiters
      self.waiters = []
      resume(waiters, result)
    }
  }

  private func resume(_ waiters: [Waiter], _ result: Result<Void, any Error>) {
    for waiter in waiters {
      waiter.didWait?()
      waiter.continuation.resume(with: result)
    }
  }

  /// Sets the timer for what an obstacle, which a restore has removed, has kept from being saved.
  private func retryPending() {
    guard session.obstacle == nil, let entry = queue.first else { return }
    failures.retryIfNeeded(on: entry.source.clock) { self.saveIsDue() }
  }

  private func complain(_ error: SaveError) {
    SystemLog.report("Signalbox: \"\(file.name)\" was not saved. \(error)")
  }
}
