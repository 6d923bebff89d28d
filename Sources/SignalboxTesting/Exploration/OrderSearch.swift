import Signalbox
import SignalboxInspection

/// Searches the orders of a scenario, those with the fewest faults, actions and then deviations first.
///
/// An order is a list of choices followed by the first choice at each point. After it has run, each
/// other choice at a later point begins an order with one deviation, one action or one fault more. So
/// each order runs once, and nothing of it needs to be kept but its points.
@MainActor final class OrderSearch {
  private let scenario: @MainActor (Exploration) async throws -> Void
  private let test: RunningTest
  private let limit: Int
  private var orders = 0
  private var failures = 0
  private var outcomes = OutcomeCounts()
  private var shortest: ExploredOrder?
  // `ExplorationReport` says what these and `length` mean.
  private var left = 0
  private var deviations: Int? = 0
  private var faults: Int?
  private var sequences = SequenceCounts()
  private var length: Int?
  private var waiting: WaitingOrders

  init(
    _ scenario: @escaping @MainActor (Exploration) async throws -> Void, in test: RunningTest,
    limit: Int, mostFaults: Int
  ) {
    self.scenario = scenario
    self.test = test
    self.limit = limit
    waiting = WaitingOrders(mostFaults: mostFaults)
  }

  func run() async -> ExplorationReport {
    let first = await execute(.search(first: [], model: nil)).order
    if first.obstacle != nil { return await report(of: first, isExhaustive: false) }
    count(first)
    // The same choices must lead to the same run, even if no other order begins with them.
    let again = await execute(.search(first: first.points.map(\.chosen), model: first)).order
    if let parted = parted(again, from: first) {
      return await report(of: parted, isExhaustive: false)
    }
    waiting.add(branchesOf: first, from: 0)
    var number = 0
    while let (level, branches) = waiting.takeNext() {
      if level.faults > number {
        faults = number
        if failures > 0 { return await report(of: shortest, isExhaustive: false) }
        number = level.faults
      }
      for (index, branch) in branches.enumerated() {
        guard orders < limit else {
          // Each of them leads to orders with more deviations, whose number is not known.
          left = waiting.count + branches.count - index
          if first.occurrences != nil { length = level.actions - 1 }
          return await report(of: shortest, isExhaustive: false)
        }
        let choices = branch.choices
        let order = await execute(.search(first: choices, model: branch.order)).order
        if order.obstacle != nil { return await report(of: order, isExhaustive: false) }
        count(order)
        waiting.add(branchesOf: order, from: choices.count)
      }
      deviations = level.deviations
    }
    if number > 0 { faults = number }
    return await report(of: shortest, isExhaustive: true)
  }

  func replay(_ text: String) async -> ExplorationReport {
    deviations = nil
    let replay: ReplayString
    do { replay = try ReplayString(parsing: text) } catch {
      return report(isExhaustive: false, failure: ([], text), reason: error.text)
    }
    let (order, world) = await execute(.replay(replay), isDetailed: true)
    print((["replay \(text):"] + world.log).joined(separator: "\n  "))
    if order.obstacle == nil { count(order) }
    return report(of: order, in: world, isExhaustive: false)
  }

  private func count(_ order: ExploredOrder) {
    orders += 1
    for outcome in order.differentOutcomes { outcomes.count(outcome) }
    if let occurrences = order.occurrences { sequences.count(occurrences, in: order.sequence) }
    guard order.failure != nil else { return }
    failures += 1
    if shortest.map({ order.isShorter(than: $0) }) ?? true { shortest = order }
  }

  // MARK: - One order

  private func execute(
    _ script: Script, isDetailed: Bool = false
  ) async -> (order: ExploredOrder, world: Exploration) {
    let scope = TestScope.isolated(in: test)
    let order = ExploredOrder()
    let world = Exploration(script, order, in: scope, isDetailed: isDetailed)
    await PostedDelivery.$isPartOfItsTask.withValue(true) {
      await ExploredScope.$current.withValue(scope) { await run(world, order) }
    }
    if Task.isCancelled { order.obstacle = .cancelled }
    guard order.obstacle == nil else { return (order, world) }
    switch script.shortfall(of: order) {
    case .parting(let reason): order.parts(because: reason)
    case .misfit(let text): order.obstacle = .misfit(text)
    case .chosen, nil: break
    }
    return (order, world)
  }

  /// Runs the scenario, whose failures count for the order.
  private func run(_ world: Exploration, _ order: ExploredOrder) async {
    let handler = FailureHandler { text, site in
      // What follows the differences has durations, which are different each time.
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let lasting = lines.prefix { $0 != "Last events:" && $0 != "In flight:" }
      order.fails("\(site.description): \(lasting.joined(separator: "\n"))")
    }
    await CallSite.$failureHandler.withValue(handler) {
      await SourceTasks.$follower.withValue(world.scope) {
        do {
          try await scenario(world)
          if !world.hasRun { order.fails("The scenario has not called run().") }
        } catch is CancellationError where Task.isCancelled {
          order.obstacle = .cancelled
        } catch {
          order.fails("The scenario throws \(SourceFormatter.text(of: error)).")
        }
        await world.finish()
      }
    }
  }

  /// The second run of the same choices, if it differs from the first.
  private func parted(_ order: ExploredOrder, from first: ExploredOrder) -> ExploredOrder? {
    if order.obstacle != nil { return order }
    // An object that only equals itself is another one in each run, and shows its text.
    let isSame =
      order.tokens(ofFirst: .max) == first.tokens(ofFirst: .max)
      && order.failure?.text == first.failure?.text
      && order.outcomes.count == first.outcomes.count
      && zip(order.outcomes, first.outcomes).allSatisfy { $0.isSame(as: $1) || $0.text == $1.text }
    if isSame { return nil }
    order.parts(because: "the results differ")
    return order
  }

  // MARK: - The report

  private func report(of order: ExploredOrder?, isExhaustive: Bool) async -> ExplorationReport {
    guard var order, !Task.isCancelled else {
      return report(of: nil, in: nil, isExhaustive: isExhaustive)
    }
    if order.obstacle == nil, left > 0 { order = await shortened(order) }
    let steps = order.obstacle == nil ? order.failure?.steps ?? .max : .max
    let (again, world) = await execute(
      .replay(ReplayString(order.tokens(ofFirst: steps), labels: [])), isDetailed: true)
    switch again.obstacle {
    case nil where order.obstacle == nil && again.failure?.text != order.failure?.text:
      again.parts(because: "the results differ")
    case .misfit where order.obstacle == nil: again.parts(because: "once the order was possible")
    default: break
    }
    if order.obstacle != nil { again.obstacle = order.obstacle }
    return report(of: again, in: world, isExhaustive: isExhaustive)
  }

  private func report(
    of order: ExploredOrder?, in world: Exploration?, isExhaustive: Bool
  ) -> ExplorationReport {
    var failure: (steps: [String], replay: String)?
    let reason = order.flatMap { verdict(on: $0) }
    if let order, let world, reason != nil {
      let count =
        switch order.obstacle {
        case nil: order.failure?.steps ?? 0
        case .parting(let steps, _): steps
        default: world.steps.count
        }
      let made = world.steps.prefix(count)
      let replay = ReplayString(order.tokens(ofFirst: count), labels: made.map(\.label))
      failure = (steps(made), replay.text)
    }
    return report(
      isExhaustive: isExhaustive && order?.obstacle == nil, failure: failure, reason: reason,
      failures: order?.obstacle == nil ? failures : 0)
  }

  private func report(
    isExhaustive: Bool, failure: (steps: [String], replay: String)?, reason: String?,
    failures: Int = 0
  ) -> ExplorationReport {
    ExplorationReport(
      orders: orders, isExhaustive: isExhaustive, outcomes: outcomes.sorted, failure: failure,
      sequences: sequences.count, occurrences: sequences.occurrences, reason: reason,
      failures: failures, deviations: deviations, length: length, faults: faults, left: left)
  }

  private func verdict(on order: ExploredOrder) -> String? {
    switch order.obstacle {
    case nil: return order.failure?.text
    case .cancelled: return nil
    case .outside(let text), .misfit(let text): return text
    case .parting(let steps, let reason):
      return """
        After \(steps == 1 ? "1 step" : "\(steps) steps"), the same choices have led to two different \
        runs: \(reason). The cause may be a real clock, an unstructured task, a random number, or \
        something that the orders share.
        """
    }
  }

  /// The steps with what each changed, in two columns.
  private func steps(_ steps: some Collection<(label: String, changes: [String])>) -> [String] {
    let width = steps.map(\.label.count).max() ?? 0
    return steps.map { step in
      if step.changes.isEmpty { return step.label }
      let gap = String(repeating: " ", count: width + 3 - step.label.count)
      return step.label + gap + step.changes.joined(separator: ", ")
    }
  }

  // MARK: - Shrinking

  // Drops or swaps choices in search of an order with fewer steps or deviations. Only an
  // exploration that has reached its limit needs it. Otherwise, the shortest is known.
  private func shortened(_ order: ExploredOrder) async -> ExploredOrder {
    var best = order
    var left = min(500, max(limit, 50))
    search: while left > 0 {
      for candidate in candidates(for: best.tokens(ofFirst: best.failure?.steps ?? .max)) {
        guard left > 0, !Task.isCancelled else { break }
        left -= 1
        let other = await execute(.follow(candidate)).order
        if other.obstacle == nil, other.failure != nil, other.isShorter(than: best) {
          best = other
          continue search
        }
      }
      break
    }
    return best
  }

  /// The lists of choices that differ in one choice: dropped, an answer for a failure, or swapped.
  private func candidates(for tokens: [String]) -> [[String]] {
    var candidates: [[String]] = []
    for index in tokens.indices {
      var fewer = tokens
      fewer.remove(at: index)
      candidates.append(fewer)
      if tokens[index].hasSuffix("!") {
        var other = tokens
        other[index].removeLast()
        candidates.append(other)
      }
      if index > 0 {
        var other = tokens
        other.swapAt(index - 1, index)
        candidates.append(other)
      }
    }
    return candidates
  }
}
