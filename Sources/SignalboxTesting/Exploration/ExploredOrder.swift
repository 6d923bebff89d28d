import Signalbox

/// One execution of a scenario: which choices there were, and what came of them.
@MainActor final class ExploredOrder {
  /// A moment at which there were choices.
  struct Point {
    let tokens: [String]
    let chosen: Int
    let states: [StoreSnapshot]
  }

  /// Why the exploration cannot go on.
  enum Obstacle {
    /// Two executions of the same choices part after a number of steps.
    case parting(steps: Int, reason: String)
    /// Work waits for something outside.
    case outside(String)
    /// A replay string does not fit.
    case misfit(String)
    case cancelled
  }

  var points: [Point] = []
  /// Why the order fails, and the number of steps until then.
  private(set) var failure: (text: String, steps: Int)?
  var obstacle: Obstacle?
  var outcomes: [Outcome] = []
  /// What has occurred in a sequence of actions; `nil` if the exploration has no sequences.
  var occurrences: Occurrences?

  /// The number of choices other than first come, first served.
  var deviations: Int { points.count { $0.chosen > 0 } }

  /// The actions that were sent, as tokens.
  var sequence: [String] {
    points.map { $0.tokens[$0.chosen] }.filter { $0.first == Choice.action }
  }

  var faults: Int { points.count { Choice.isFault($0.tokens[$0.chosen]) } }

  /// The number of choices that a replay string has.
  var written: Int { points.count { $0.tokens[$0.chosen] != Choice.noFault } }

  /// The number of choices that were steps, which the end is not.
  var steps: Int { points.count { Choice.isStep($0.tokens[$0.chosen]) } }

  /// The choices up to a number of steps, without an end after which nothing else happened.
  func tokens(ofFirst steps: Int) -> [String] {
    var tokens: [String] = []
    var pending: [String] = []
    var left = steps
    for token in points.map({ $0.tokens[$0.chosen] }) where left > 0 && token != Choice.noFault {
      pending.append(token)
      guard token != Choice.end else { continue }
      tokens += pending
      pending = []
      left -= 1
    }
    return tokens
  }

  /// The outcomes without repetitions, because orders are counted.
  var differentOutcomes: [Outcome] {
    outcomes.reduce(into: []) { different, outcome in
      if !different.contains(where: outcome.isSame) { different.append(outcome) }
    }
  }

  // The first reason counts. But a mistake of the scenario, its likely cause, is named before it.
  func fails(_ text: String, isMistake: Bool = false) {
    guard let first = failure else {
      failure = (text, steps)
      return
    }
    if isMistake, !first.text.contains(text) { failure = ("\(text)\n\(first.text)", first.steps) }
  }

  /// Records that the same choices have led to two different runs, which part here.
  func parts(because reason: String) {
    obstacle = .parting(steps: steps, reason: reason)
  }

  /// Whether this order shows the failure better than another one.
  func isShorter(than other: ExploredOrder) -> Bool {
    guard let failure, let otherFailure = other.failure else { return failure != nil }
    return (faults, sequence.count, failure.steps, deviations)
      < (other.faults, other.sequence.count, otherFailure.steps, other.deviations)
  }
}
