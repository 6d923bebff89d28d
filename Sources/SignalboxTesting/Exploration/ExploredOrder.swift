import Signalbox

/// One execution of a scenario: which choices there were, and what came of them.
@MainActor final class ExploredOrder {
  /// A moment at which everything was idle.
  struct Point {
    /// The tokens of the choices.
    let tokens: [String]
    /// The index of the choice that was made.
    let chosen: Int
    let states: [StoreMoment]
  }

  /// Where two executions of the same choices part.
  struct Parting {
    /// The number of choices that were made before.
    let point: Int
    let reason: String
  }

  /// Why the order fails.
  struct Failure {
    let text: String
    /// The number of steps until then.
    let steps: Int
  }

  /// Why the exploration cannot go on.
  enum Obstacle {
    case parting(Parting)
    /// Work waits for something outside.
    case outside(String)
    /// A replay string does not fit.
    case misfit(String)
    /// The task of the test was cancelled.
    case cancelled
  }

  var points: [Point] = []
  private(set) var failure: Failure?
  var obstacle: Obstacle?
  var outcomes: [Outcome] = []

  /// The number of choices other than first come, first served.
  var deviations: Int { points.count { $0.chosen > 0 } }

  /// The choices that were made, without the end.
  var tokens: [String] { points.map { $0.tokens[$0.chosen] }.filter { !$0.isEmpty } }

  /// Records why the order fails.
  ///
  /// Only the first reason counts.
  func fails(_ text: String) {
    if failure == nil { failure = Failure(text: text, steps: tokens.count) }
  }

  /// Records that the same choices have led to two different runs, which part here.
  func parts(because reason: String) {
    obstacle = .parting(Parting(point: points.count, reason: reason))
  }

  /// Whether this order shows the failure better than another one.
  func isShorter(than other: ExploredOrder) -> Bool {
    guard let failure, let otherFailure = other.failure else { return failure != nil }
    return (failure.steps, deviations) < (otherFailure.steps, other.deviations)
  }
}

/// What came of an order.
@MainActor enum Outcome {
  /// A value that the scenario has recorded.
  case value(AnyHashable)
  /// The stores before the first step and at the end, if the scenario has recorded nothing.
  case stores([StoreMoment], from: [StoreMoment])

  func isSame(as other: Outcome) -> Bool {
    switch (self, other) {
    case (.value(let a), .value(let b)): a == b
    case (.stores(let a, _), .stores(let b, _)):
      a.count == b.count && zip(a, b).allSatisfy { $0.hasState(of: $1) }
    default: false
    }
  }

  var text: String {
    switch self {
    case .value(let value): return SourceFormatter.text(of: value.base)
    case .stores(let end, let start):
      let values = zip(start, end).flatMap { $1.values(since: $0) }
      return values.isEmpty ? "no change" : values.joined(separator: ", ")
    }
  }
}
