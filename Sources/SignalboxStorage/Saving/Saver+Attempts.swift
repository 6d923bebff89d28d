import Foundation
import Signalbox

/// The attempts to save what is due, one after the other.
extension Saver {
  func saveIsDue() {
    queue.makeDue()
    failures.beginRound()
    queue.newest?.source.stopWaiting()
    begin()
  }

  /// Begins an attempt if one is due and none is running.
  func begin() {
    guard attempt == nil, !isOpening, let next = queue.firstDue else { return }
    let source = next.source
    // The values are those of a commit.
    guard next.isWhole else { return source.whenWhole { self.begin() } }
    var entry = next
    if next.taken == nil {
      noteUntold(source)
      entry = queue.live(source) ?? next
    }
    // Taking the values may call getters of the program, which may do anything.
    let snapshot = entry.snapshot
    guard attempt == nil, !isOpening, queue.contains(entry) else { return begin() }
    failures.stopWaiting()
    source.stopWaiting()
    let request = queue.request(for: entry)
    changeQueue { $0.remove(entry) }
    let isLast = queue.firstDue == nil
    attempt = Attempt(
      entry: entry, request: request, snapshot: snapshot, waiters: isLast ? waiters : [])
    if isLast { waiters = [] }
    // Both closures keep this object until the attempt has ended. Subscribers to the start of the run
    // may call back, so no access to `attempt` is in progress.
    let run = source.run(
      { [entry] show in try await self.carryOut(entry, request, snapshot, show) }, { self.end() })
    attempt?.run = run
  }

  private func carryOut(
    _ entry: SaveQueue.Entry, _ request: SaveQueue.Request, _ snapshot: Snapshot,
    _ show: SaveSource.Show
  ) async throws {
    // The save has a copy of the session, and this one would keep the lock.
    dropLostLock()
    let outcome = await file.save(snapshot, request, session)
    replaceSession(outcome.session)
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

  private func dropLostLock() {
    var next = session
    next.dropLostLock()
    replaceSession(next)
  }

  /// Replaces the session, and releases only then what has left it, such as a lock.
  func replaceSession(_ new: FileSession) {
    let old = session
    session = new
    withExtendedLifetime(old) {}
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
    // There is nothing left that they could wait for. What is due waits for a batch or a restore.
    if self.attempt == nil, queue.firstDue == nil {
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
