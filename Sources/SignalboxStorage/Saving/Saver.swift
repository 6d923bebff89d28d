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
  struct Attempt {
    let entry: SaveQueue.Entry
    let snapshot: Snapshot
    var run: OutlivingRun?
    var waiters: [Waiter]
    var result: Result<Void, SaveError>?
  }

  /// A caller of `flush`.
  struct Waiter {
    let continuation: CheckedContinuation<Void, any Error>
    let didWait: (@MainActor () -> Void)?
  }

  let file: SavedFile
  var session = FileSession()
  var wasBusy = false
  var queue = SaveQueue()
  var attempt: Attempt?
  /// The callers that wait for the attempt after which nothing is due.
  private var waiters: [Waiter] = []
  /// The hooks that have not ended or whose last values wait, in the order in which they began.
  ///
  /// The first one saves.
  var sources: [SaveSource] = []
  /// The number of hooks that have begun.
  private var lines = 0
  /// What the next store is made of.
  var basis = SaveSource.Basis.noRestore
  let failures = SaveFailures()

  init(_ file: SavedFile) { self.file = file }

  // MARK: - Changes

  func connect(_ source: SaveSource) {
    lines += 1
    source.begin(line: lines, from: basis)
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
    guard sources.first === source else {
      source.isHeldUp = true
      return source.show(.failed(SaveError.busy.description))
    }
    add(source)
    source.show(statusOfPending)
    // An observer of the status may have ended the hook, which saves at once.
    guard source.isOpen else { return }
    source.wait { self.saveIsDue() }
  }

  /// Notes a change, unless it is one that a restore has found before the hook was told.
  func add(_ source: SaveSource, taken: Snapshot? = nil) {
    if let found = source.found, taken == nil, queue.isLive(source),
      file.isSame(found, source.snapshot())
    {
      return
    }
    source.found = nil
    source.change()
    changeQueue { $0.add(source, taken: taken) }
  }

  /// Changes the queue, and releases only then what has left it.
  ///
  /// That may release the state of a store, and a deinit of the program may call back.
  private func changeQueue<R>(_ change: (inout SaveQueue) -> R) -> R {
    let before = queue
    defer { withExtendedLifetime(before) {} }
    return change(&queue)
  }

  /// Saves what has changed and is not saved, with the values of now.
  ///
  /// - Parameter hasChanged: whether there may be a change without a call of `hasChanged`.
  func hookHasEnded(_ source: SaveSource, hasChanged: Bool) {
    if hasChanged {
      if sources.first === source { add(source) } else { source.isHeldUp = true }
    }
    source.isOpen = false
    source.stopWaiting()
    // Until then it stays in its place, so that no other store is saved before the batch ends.
    source.whenWhole { self.takeLast(of: source) }
  }

  private func takeLast(of source: SaveSource) {
    if source.isHeldUp {
      // Its last values wait in its place.
      source.last = source.snapshot()
    } else {
      sources.removeAll { $0 === source }
      if queue.awaits(source) {
        let last = source.snapshot()
        changeQueue { $0.take(last, of: source) }
        saveIsDue()
      }
    }
    while let next = sources.first, !next.isOpen, let last = next.last {
      sources.removeFirst()
      add(next, taken: last)
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
    if let source = sources.first { addUnchanged(source) }
    if queue.isEmpty, attempt == nil {
      if let obstacle = session.obstacle { throw obstacle.error }
      if wasBusy { throw SaveError.busy }
    } else {
      try await saveNow()
    }
    // What another store has changed is saved only when the hook of this one has ended.
    if sources.contains(where: \.isHeldUp) { throw SaveError.busy }
  }

  private func saveNow() async throws {
    if !queue.isEmpty { saveIsDue() }
    // An attempt that has just begun has taken the newest values.
    let joins = queue.isEmpty
    try await withCheckedThrowingContinuation { continuation in
      let waiter = Waiter(continuation: continuation, didWait: attempt?.run?.willWait())
      if joins { attempt?.waiters.append(waiter) } else { waiters.append(waiter) }
    }
  }

  /// Adds the values of a store in which nothing has changed, if they may be newer than the file.
  ///
  /// What a program puts into its first state counts, too.
  private func addUnchanged(_ source: SaveSource) {
    guard source.isOpen, attempt?.entry.source !== source else { return }
    switch source.state {
    case .news: add(source)
    case .mayBeNews:
      let pending = (queue.newest ?? attempt?.entry).map(\.request.version)
      if pending.map(source.history.contains) ?? comesFromFile(source.history) {
        queue.addUnchanged(source)
      }
    case .noNews: break
    }
  }

  // MARK: - Attempts

  func saveIsDue() {
    queue.makeDue()
    failures.beginRound()
    queue.newest?.source.stopWaiting()
    begin()
  }

  /// Begins an attempt if one is due and none is running.
  private func begin() {
    guard attempt == nil, let next = queue.firstDue else { return }
    // The values are those of a commit.
    guard next.isWhole else { return next.source.whenWhole { self.begin() } }
    guard let entry = changeQueue({ $0.removeFirstDue() }) else { return }
    failures.stopWaiting()
    let source = entry.source
    source.stopWaiting()
    let snapshot = entry.snapshot
    let isLast = queue.firstDue == nil
    attempt = Attempt(entry: entry, snapshot: snapshot, waiters: isLast ? waiters : [])
    if isLast { waiters = [] }
    // Both closures keep this object until the attempt has ended. Subscribers to the start of the run
    // may call back, so no access to `attempt` is in progress.
    let run = source.run(
      { show in try await self.carryOut(entry, snapshot, show) }, { self.end() })
    attempt?.run = run
  }

  private func carryOut(
    _ entry: SaveQueue.Entry, _ snapshot: Snapshot, _ show: SaveSource.Show
  ) async throws {
    // The save has a copy of the session, and this one would keep the lock.
    session.dropLostLock()
    let outcome = await file.save(snapshot, entry.request, session)
    session = outcome.session
    wasBusy = outcome.error == .busy
    attempt?.result = outcome.error.map { .failure($0) } ?? .success(())
    if let error = outcome.error { putBack(entry, snapshot, error) }
    // After a success, what is still in the queue may have failed before.
    if outcome.error != nil || queue.failure == nil { failures.hasEnded(outcome.error) }
    if queue.firstDue == nil, session.allowsRetries, let entry = queue.firstRetried {
      failures.retry(on: entry.source.clock) { self.saveIsDue() }
    }
    let source = entry.source
    let status = queue.isEmpty ? SaveStatus.saved : statusOfPending
    show(outcome.error.map { .failed($0.description) } ?? status)
    // The store that is there now shows it, too.
    if let next = sources.first, next !== source, !next.isHeldUp {
      next.show(queue.isEmpty ? .saved : statusOfPending)
    }
    guard let error = outcome.error else { return }
    if failures.isFirst, !source.isWatched(), sources.first?.isWatched() != true { complain(error) }
    throw error
  }

  /// Puts back what an attempt has not saved.
  private func putBack(_ entry: SaveQueue.Entry, _ snapshot: Snapshot, _ error: SaveError) {
    let isEncoded = snapshot.isEncoded
    // What cannot be encoded never can be, and must not be the failure of every save to come.
    if !isEncoded, !entry.source.isOpen, !queue.isEmpty { return }
    var entry = entry
    // The next attempt takes the values anew.
    entry.taken = entry.source.isOpen ? nil : snapshot
    entry.isDue = false
    entry.failure = error
    entry.isRetried = isEncoded
    changeQueue { $0.putBack(entry) }
  }

  /// Resumes the callers that wait for the attempt, and begins the next one if it is due.
  private func end() {
    guard let attempt = attempt.take() else { return }
    // Callers are told also of what has failed before the last attempt.
    let failure = queue.failure.map { Result<Void, SaveError>.failure($0) }
    let result = (failure ?? attempt.result ?? .success(())).mapError { $0 as any Error }
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

  private func complain(_ error: SaveError) {
    SystemLog.report("Signalbox: \"\(file.name)\" was not saved. \(error)")
  }
}
