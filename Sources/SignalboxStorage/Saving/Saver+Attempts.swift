import Signalbox

/// The attempts to save what is due, one after the other.
extension Saver {
  func saveIsDue() {
    isDue = true
    unsaved?.source.stopWaiting()
    begin()
  }

  func begin() {
    guard isDue, attempt == nil, !isOpening else { return }
    let next = unsaved
    guard let source = next?.source ?? older.first?.source else {
      isDue = false
      return
    }
    if let next, next.taken == nil {
      guard next.isWhole else { return source.store.whenWhole { self.begin() } }
      // Taking the values may call getters of the program, which may do anything.
      let snapshot = source.store.snapshot()
      guard isDue, attempt == nil, !isOpening, unsaved === next, next.taken == nil else {
        return begin()
      }
      next.taken = snapshot
    }
    isDue = false
    retryTimer.take()?.cancel()
    source.stopWaiting()
    attempts += 1
    attempt = Attempt(unsaved: exchange(&unsaved, with: nil), older: exchange(&older, with: []))
    // Both closures keep this object until the attempt has ended. Subscribers to the start of the run
    // may call back, so no access to `attempt` is in progress.
    let run = source.store.run({ show in try await self.carryOut(source, show) }, { self.end() })
    attempt?.run = run
  }

  private func carryOut(_ source: SaveSource, _ show: SavingStore.Show) async throws {
    guard let attempt else { return }
    // The save has a copy of the session, and this one would keep a lock that is lost.
    if session.lock?.isHeld == false { _ = exchange(&session.lock, with: nil) }
    let outcome = await file.save(
      attempt.unsaved?.values, keeping: attempt.older.compactMap(\.values), session)
    _ = exchange(&session, with: outcome.session)
    let error = hasEnded(outcome, attempt)
    show(status(of: source))
    for other in sources where other !== source { other.store.show(status(of: other)) }
    guard let error else { return }
    if failure?.count == 1, !source.store.isWatched(), writer?.store.isWatched() != true {
      SystemLog.report("Signalbox: \"\(file.name)\" was not saved. \(error)")
    }
    throw error
  }

  private func status(of source: SaveSource) -> SaveStatus {
    if source.isHeldUp { return .failed(SaveError.olderStore.description) }
    if let error = source.error { return .failed(error.description) }
    // The newest store also says that values of others wait.
    let isWaiting = unsaved?.source === source || older.contains { $0.source === source }
    return isWaiting || (source === writer && hasUnsaved) ? statusOfPending : .saved
  }

  /// Puts back what an attempt has not saved, and returns why.
  private func hasEnded(_ outcome: SavedFile.Outcome, _ attempt: Attempt) -> SaveError? {
    for (old, error) in zip(attempt.older, outcome.older) {
      old.source.error = error
      if error == nil { continue }
      old.isHopeless = old.taken?.data == nil
      // What cannot be encoded never can be, and must not be the failure of every save to come.
      if !old.isHopeless { older.append(old) }
    }
    if let unsaved = attempt.unsaved {
      let source = unsaved.source
      source.error = outcome.error
      if let basis = outcome.basis { source.basis = basis }
      if outcome.error != nil {
        putBack(unsaved)
      } else if source.origin != .kept {
        source.origin = .found
      }
    }
    let error = outcome.error ?? outcome.older.lazy.compactMap(\.self).first
    failure = error.map { ($0, (failure?.count ?? 0) + 1) }
    // A restore during the attempt may have set it.
    retryTimer.take()?.cancel()
    retryLater()
    return error
  }

  private func putBack(_ old: Unsaved) {
    old.isHopeless = old.taken?.data == nil
    // Values in which nothing has changed replace none, because they may turn out not to be saved.
    if let new = unsaved, !new.isUnchanged { return keep(old, unlessFrom: new.source) }
    _ = exchange(&unsaved, with: old)
  }

  // After half a second, then twice as long each time, up to a minute. Only a restore removes the
  // obstacle of a newer file. Restores come here, too, and must not put the next attempt off.
  func retryLater() {
    if case .newer = session.obstacle { return }
    let next = ([unsaved].compactMap(\.self) + older).first { !$0.isHopeless }
    guard let failure, !isDue, retryTimer == nil, let next else { return }
    let timer = OneShotTimer.on(next.source.store.clock)
    retryTimer = timer
    let pause = min(.milliseconds(500) * (1 << min(failure.count - 1, 10)), Duration.seconds(60))
    timer.set(after: pause) {
      self.retryTimer = nil
      self.saveIsDue()
    }
  }

  private func end() {
    _ = exchange(&attempt, with: nil)
    let (number, failure) = (attempts, failure)
    begin()
    // If none has begun, there is nothing left that callers could wait for.
    let isLast = attempt == nil && !isDue
    resume(failure.map { .failure($0.error) } ?? .success(())) { $0.attempt <= number || isLast }
  }
}
