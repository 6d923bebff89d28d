import Signalbox

/// The sleepers of a test clock, in the order in which they wake.
struct SleepSchedule {
  typealias Instant = TestClock.Instant

  /// Where a sleeper is in the order; the fields are compared one after the other.
  struct Position: Comparable {
    let deadline: Instant
    /// The number of wake-ups before the sleeper went to sleep.
    let round: Int
    // The number of the sleeping work, because threads race to the clock, and only work begins in
    // the same order in each run. A callback comes half a step after the work that began last.
    let rank: Double
    let number: Int

    static func < (l: Position, r: Position) -> Bool {
      l.deadline == r.deadline
        ? (l.round, l.rank, l.number) < (r.round, r.rank, r.number) : l.deadline < r.deadline
    }
  }

  enum Wake {
    case task(CheckedContinuation<Void, any Error>, ParkedTask?)
    case call(@MainActor () -> Void, drop: @MainActor () -> Void)
  }

  var now = Instant(offset: .zero)
  var lastNumber = 0
  var round = 0
  /// Sorted by position.
  var sleepers: [(position: Position, wake: Wake)] = []
  var positions: [Int: Position] = [:]
  /// The sleepers that were cancelled before they went to sleep.
  var cancelled: Set<Int> = []
  var hasHadSleepers = false
  var wasAdvanced = false
  /// The activity of the test that waits for sleepers.
  var activity: Activity?

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  mutating func add(_ number: Int, until deadline: Instant, _ piece: Int?, _ wake: Wake) {
    let position = Position(
      deadline: deadline, round: round,
      rank: piece.map(Double.init) ?? Double(Piece.lastNumber) + 0.5, number: number)
    sleepers.insert((position, wake), at: index(of: position))
    positions[number] = position
    hasHadSleepers = true
  }

  mutating func remove(_ number: Int) -> Wake? {
    positions.removeValue(forKey: number).map { sleepers.remove(at: index(of: $0)).wake }
  }

  private func index(of position: Position) -> Int {
    sleepers.sortedIndex { $0.position < position }
  }
}
