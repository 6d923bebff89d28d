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
    /// - Parameter work: the work of the task, if it belongs to a test store.
    case task(of: Piece?)
    case call(@MainActor () -> Void, drop: @MainActor () -> Void)

    var work: Piece? { if case .task(let work) = self { work } else { nil } }
  }

  typealias Sleeper = (position: Position, wake: Wake)

  var now = Instant(offset: .zero)
  var lastNumber = 0
  var round = 0
  /// Sorted by position.
  var sleepers: [Sleeper] = []
  var positions: [Int: Position] = [:]
  var hasHadSleepers = false
  var wasAdvanced = false

  mutating func add(until deadline: Instant, _ wake: Wake) -> Int {
    lastNumber += 1
    let position = Position(
      deadline: deadline, round: round,
      rank: wake.work.map { Double($0.number) } ?? Double(Piece.lastNumber) + 0.5,
      number: lastNumber)
    sleepers.insert((position, wake), at: index(of: position))
    positions[lastNumber] = position
    hasHadSleepers = true
    return lastNumber
  }

  mutating func remove(_ number: Int) -> Sleeper? {
    positions.removeValue(forKey: number).map { sleepers.remove(at: index(of: $0)) }
  }

  private func index(of position: Position) -> Int {
    sleepers.sortedIndex { $0.position < position }
  }
}
