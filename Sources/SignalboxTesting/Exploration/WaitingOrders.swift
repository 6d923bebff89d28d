/// The orders of an exploration that are known and have not run, by what decides when they run.
///
///     level 0:  a b c
///     level 1:  b a c    c a b    a c b
///     level 2:  b c a    c b a
@MainActor struct WaitingOrders {
  struct Level: Hashable, Comparable {
    var faults: Int
    var actions: Int
    /// The number of choices that are no actions and not first come, first served.
    var deviations: Int

    static func < (a: Level, b: Level) -> Bool {
      (a.faults, a.actions, a.deviations) < (b.faults, b.actions, b.deviations)
    }
  }

  /// An order that is to run: the choices of another one up to a point, and a different one there.
  @MainActor struct Branch {
    let order: ExploredOrder
    let point: Int
    let choice: Int

    var choices: [Int] { order.points[..<point].map(\.chosen) + [choice] }
  }

  private let mostFaults: Int
  private var branches: [Level: [Branch]] = [:]

  init(mostFaults: Int) { self.mostFaults = mostFaults }

  var count: Int { branches.values.reduce(0) { $0 + $1.count } }

  mutating func takeNext() -> (level: Level, branches: [Branch])? {
    branches.keys.min().flatMap { level in branches.removeValue(forKey: level).map { (level, $0) } }
  }

  /// Adds the orders that begin like another one and part from it at a point or later.
  mutating func add(branchesOf order: ExploredOrder, from start: Int) {
    // Later points have the first of their choices, which is neither an action nor a fault.
    let (faults, actions) = (order.faults, order.sequence.count)
    let deviations = order.deviations - actions
    for point in order.points.indices.dropFirst(start) {
      for (choice, token) in order.points[point].tokens.enumerated().dropFirst() {
        let isAction = token.first == Choice.action
        let level = Level(
          faults: faults + (Choice.isFault(token) ? 1 : 0), actions: actions + (isAction ? 1 : 0),
          deviations: deviations + (isAction ? 0 : 1))
        guard level.faults <= mostFaults else { continue }
        branches[level, default: []].append(Branch(order: order, point: point, choice: choice))
      }
    }
  }
}
