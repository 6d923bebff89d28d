/// Counts the rounds of one update, each of which begins children until one changes the collection.
@MainActor struct UpdateRounds {
  private var count = 0
  private var limit = Propagation.roundLimit

  // Whether children may begin in the next round. Each of the `states` may take a round of its own.
  // `report` is called once, when no more children may begin.
  mutating func isNext(_ states: () -> Int, report: () -> Void) -> Bool {
    count += 1
    if count == Propagation.roundLimit { limit += states() }
    if count == limit + 1 { report() }
    return count <= limit
  }
}
