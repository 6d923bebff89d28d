/// What an exploration has found.
public struct ExplorationReport: CustomStringConvertible, Sendable {
  /// The number of orders that ran.
  public let orders: Int
  /// Whether those were all orders, or all with up to as many faults as `explore` has allowed.
  public let isExhaustive: Bool
  /// The outcomes, each with the number of orders that led to it, the most frequent first.
  public let outcomes: [(description: String, orders: Int)]
  /// The failing order with the fewest faults, and of these the one with the fewest steps; `nil` if no
  /// order fails.
  ///
  /// Each step says what happened and what it changed. The replay string runs that order again.
  public let failure: (steps: [String], replay: String)?
  /// The number of different sequences of actions that ran; 0 in an exploration without sequences.
  public let sequences: Int
  /// The actions, answers, failures, optional events and hooks of an exploration of sequences, each
  /// with the number of sequences in which it has occurred, which may be 0 (I12).
  public let occurrences: [(description: String, sequences: Int)]

  /// Why the shortest order fails.
  let reason: String?
  let failures: Int
  /// The number of deviations up to which all orders ran; `nil` for a replay.
  let deviations: Int?
  /// The number of actions of which all sequences ran; `nil` below the limit or without sequences.
  let length: Int?
  /// The number of faults up to which all orders ran; `nil` if there is none, or no order has one.
  let faults: Int?
  /// The number of orders that are known and did not run, because the limit was reached.
  let left: Int

  /// The report as a text of several lines.
  public var description: String {
    guard let failure, let reason else {
      let all = "all \(orders) orders\(ofSequences)" + faultText(" with")
      let count = orders == 1 ? "the only order" : all
      let verdict = "passes in \(isExhaustive ? count : first + range)."
      return ([verdict] + (outcomes.isEmpty ? [] : [outcomeText]) + occurrenceTexts)
        .joined(separator: "\n")
    }
    var lines = [headline]
    let width = "\(failure.steps.count)".count
    // Work without an end has many steps. The first ones may say why, and the last ones what it does.
    let hidden = failure.steps.count > 60 ? 20..<(failure.steps.count - 20) : 0..<0
    for (index, step) in failure.steps.enumerated() where !hidden.dropFirst().contains(index) {
      let number = "\(index + 1)"
      let margin = String(repeating: " ", count: 2 + width - number.count)
      let line = "\(margin)\(number)  \(step)"
      lines.append(index == hidden.first ? "  … \(hidden.count) steps" : line)
    }
    lines.append(reason)
    let replay =
      failure.replay.count > 2_000
      ? "replay: too long to show here. It is failure.replay of the report that explore returns."
      : "replay: \"\(failure.replay)\""
    lines.append(outcomes.isEmpty ? replay : "\(replay)        \(outcomeText)")
    return (lines + occurrenceTexts).joined(separator: "\n")
  }

  package var limitText: String? {
    left == 0
      ? nil : "The limit is reached after \(orders) orders, and at least \(left) more did not run."
  }

  package var missingText: String? {
    let missing = occurrences.filter { $0.sequences == 0 }.map(\.description)
    return missing.isEmpty ? nil : "never occurred: \(listed(missing))"
  }

  private var headline: String {
    if failures == 0 { return "stopped in order \(orders + 1):" }
    let count = orders == 1 ? "1 order" : "\(orders) orders\(ofSequences)"
    let verdict = "fails in \(failures) of \(isExhaustive ? count : first + range)."
    return failures == 1 ? verdict : verdict + " The shortest:"
  }

  /// The orders of an exploration that has not run all.
  private var first: String {
    orders == 1 ? "1 order" : "the first \(orders) orders\(ofSequences)"
  }

  private var ofSequences: String {
    switch sequences {
    case 0: ""
    case 1: " of 1 sequence"
    default: " of \(sequences) sequences"
    }
  }

  private var range: String {
    if faults != nil { return faultText(", among them all with") }
    switch length {
    case .some(..<1): return ", and more are left"
    case 1: return ", among them all sequences of one action"
    case .some(let length): return ", among them all sequences of up to \(length) actions"
    case nil: break
    }
    return switch deviations {
    case nil: ""
    case 0: ", and more are left"
    case 1: ", among them all with one deviation"
    case .some(let deviations): ", among them all with up to \(deviations) deviations"
    }
  }

  private func faultText(_ words: String) -> String {
    guard let faults else { return "" }
    let number = faults == 1 ? "one fault" : "\(faults) faults"
    return words + (faults == 0 ? "out a fault" : " up to \(number)")
  }

  private var outcomeText: String {
    "outcomes: \(listed(outcomes.map { "\($0.orders) × \($0.description)" }))"
  }

  private var occurrenceTexts: [String] {
    guard sequences > 1 else { return [] }
    let texts = occurrences.filter { $0.sequences > 0 }.map {
      "\($0.sequences) × \($0.description)"
    }
    let occurred = texts.isEmpty ? [] : ["occurred in sequences: \(listed(texts))"]
    return occurred + (missingText.map { [$0] } ?? [])
  }
}
