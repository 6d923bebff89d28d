/// Joining and awaiting work, waiting for a turn, and marks.
extension Work {
  final var isJoined: Bool { waiters?.joined.isEmpty == false }
  /// The work that this work joined and whose outcome it takes.
  final var leader: Work? { waiters?.leader }
  /// The work that the body of this work awaits.
  final var awaited: [Work] { waiters.map { Array($0.awaited.values) } ?? [] }
  final var isAwaited: Bool { waiters.map { $0.awaiters > 0 } ?? false }

  /// Joins other work, to take its outcome instead of running.
  final func join(leader: Work) {
    makeWaiters().leader = leader
    leader.makeWaiters().joined[order] = self
  }

  /// Keeps a property marked until the work is over; marking it again has no effect.
  ///
  /// - Parameter set: sets the mark, and returns what removes it, given the event of the end.
  final func keepUp(_ mark: Mark, _ set: () -> @MainActor (_ event: Int?) -> Void) {
    let waiters = makeWaiters()
    if waiters.marks.insert(mark).inserted { waiters.takeBacks.append(set()) }
  }

  /// Takes over the marks of superseded work until this work has run to its first suspension.
  final func inherit(_ marks: [@MainActor () -> Void]) { makeWaiters().inherited += marks }

  final func takeInherited() -> [@MainActor () -> Void] { waiters?.inherited.takeAll() ?? [] }

  final func awaitTurn(_ turn: MainActorEntry) { makeWaiters().turn = turn }

  final func takeTurn() { waiters?.turn.take()?.take() }

  /// Makes work that joined this work, and satisfies a condition, join other work instead.
  final func passJoined(to other: Work, where isTaken: (Work) -> Bool) {
    guard let waiters else { return }
    for joined in waiters.takeJoined() { joined.join(leader: isTaken(joined) ? other : self) }
  }

  /// Removes work that joined this work and was cancelled.
  final func hasLost(_ joined: Work) {
    joined.waiters?.leader = nil
    waiters?.joined.removeValue(forKey: joined.order)
  }

  /// Runs a wait for other work on behalf of the body of this work, and records it meanwhile.
  final func awaiting<Result>(
    _ other: Work, _ wait: @MainActor () async throws -> Result
  ) async rethrows -> Result {
    makeWaiters().awaited[other.order] = other
    other.makeWaiters().awaiters += 1
    defer {
      waiters?.awaited.removeValue(forKey: other.order)
      other.waiters?.awaiters -= 1
    }
    return try await wait()
  }

  /// A handle keeps the waiters, because they keep the outcome after the work is over.
  final func makeWaiters() -> WorkWaiters {
    if let waiters { return waiters }
    if isOver { return WorkWaiters(nil, outcome) }
    let waiters = WorkWaiters(self, outcome)
    self.waiters = waiters
    return waiters
  }
}
