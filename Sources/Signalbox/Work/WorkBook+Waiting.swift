/// The detection of deadlocks, by a search through the work for which a piece of work waits:
///
///     work that awaits other work   ──▶ the awaited work
///     work that joined other work   ──▶ the work that runs in its place
///     queued work                   ──▶ running work that came before it
///     work that is over             ──▶ the work that its callers now wait for instead
extension WorkBook {
  /// Whether a piece of work cannot end before another one has ended.
  func mustWait(_ work: Work, for other: Work) -> Bool {
    if work === other { return true }
    // Usually, nothing waits for `other`, and each of many waiters would search all the others.
    guard mayBeWaitedFor(other) else { return false }
    var seen: Set<ObjectIdentifier> = []
    var searchedLanes: [ObjectIdentifier: Int] = [:]
    var open = [work]
    while let next = open.popLast() {
      if next === other { return true }
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      if let inPlace = next.awaitedInPlace { open.append(inPlace) }
      guard !next.isOver else { continue }
      open += next.awaited
      if let leader = next.leader { open.append(leader) }
      // Later work in a lane waits for everything that earlier work waits for, so a lane is
      // searched again only for work that came later.
      guard !next.hasTurn, let lane = next.lane,
        searchedLanes[ObjectIdentifier(lane), default: 0] < next.order
      else { continue }
      searchedLanes[ObjectIdentifier(lane)] = next.order
      open += lane.running(before: next)
    }
    return false
  }

  private func mayBeWaitedFor(_ work: Work) -> Bool {
    work.isAwaited || work.isJoined || work.isAwaitedInPlace
      || work.lane?.mayHaveQueued == true
  }
}
