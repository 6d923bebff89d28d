/// Who waits for whom.
///
///     awaits another       ──▶ the one that is awaited
///     has joined another   ──▶ the one that runs in its place
///     is queued            ──▶ those that run and came before
///     is over              ──▶ the one that is awaited in its place
extension WorkBook {
  /// Whether a piece of work cannot end before another has.
  func mustWait(_ work: Work, for other: Work) -> Bool {
    if work === other { return true }
    // Nothing to look for, most of the time: else many that wait would each look at all the others.
    guard mayBeWaitedFor(other) else { return false }
    var seen: Set<ObjectIdentifier> = []
    var isLaneSeen: [ObjectIdentifier: Int] = [:]
    var open = [work]
    while let next = open.popLast() {
      if next === other { return true }
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      if let inPlace = next.awaitedInPlace { open.append(inPlace) }
      guard !next.isOver else { continue }
      open += next.awaited
      if let leader = next.leader { open.append(leader) }
      // Who came later waits for all that one waits for who came before.
      guard !next.hasTurn, let lane = next.lane,
        isLaneSeen[ObjectIdentifier(lane), default: 0] < next.order
      else { continue }
      isLaneSeen[ObjectIdentifier(lane)] = next.order
      open += lane.running(before: next)
    }
    return false
  }

  private func mayBeWaitedFor(_ work: Work) -> Bool {
    work.isAwaited || work.hasFollowers || work.isAwaitedInPlace
      || work.lane?.hasQueued == true
  }
}
