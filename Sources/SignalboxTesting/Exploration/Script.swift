/// Which choice to make at each point of an order.
@MainActor enum Script {
  /// The choices at these indices, and the first of the list from then on; `model` is an order that
  /// had the same choices before the last one.
  case search(first: [Int], model: ExploredOrder?)
  /// The choices of a replay string, and the first of the list from then on.
  case replay(ReplayString)
  /// The choices with these tokens, if there are such, and the first of the list from then on.
  case follow([String])

  // A replay string does not have the moments without a fault.
  func choice(of choices: [Choice], in order: ExploredOrder, _ states: [StoreSnapshot]) -> Decision
  {
    let tokens = choices.map(\.token)
    switch self {
    case .search(let choices, let model):
      let point = order.points.count
      if let model, point < model.points.count, point < choices.count,
        let reason = difference(model.points[point], tokens, states)
      {
        return .parting(reason)
      }
      return .chosen(point < choices.count ? choices[point] : 0)
    case .replay(let replay):
      let point = order.written
      guard point < replay.steps.count else { return .chosen(0) }
      let step = replay.steps[point]
      let place = "Step \(point + 1) of the replay, \"\(step.text)\","
      guard let index = tokens.firstIndex(of: step.token) else {
        if tokens.first == Choice.noFault { return .chosen(0) }
        let others = tokens.filter { $0 != Choice.end }
        let possible =
          others.isEmpty ? "Nothing is left to happen." : "Possible are \(listed(others))."
        return .misfit("\(place) is not possible. \(possible)")
      }
      guard let expected = step.label else { return .chosen(index) }
      let label = choices[index].label()
      if ReplayString.short(label, of: step.token) == expected { return .chosen(index) }
      return .misfit(
        """
        \(place) was another choice: \(step.token) is now \(label). The scenario has changed, or it \
        does not do the same each time, as when it loops over a Set.
        """)
    case .follow(let wanted):
      let point = order.written
      return .chosen(point < wanted.count ? tokens.firstIndex(of: wanted[point]) ?? 0 : 0)
    }
  }

  /// Why an order that has ended does not follow the script; `nil` if it does.
  func shortfall(of order: ExploredOrder) -> Decision? {
    switch self {
    case .search(let first, let model):
      let made = order.points.count
      guard made < first.count, let model, made < model.points.count else { return nil }
      return .parting("once \(listed(model.points[made].tokens)) could follow, and once nothing")
    case .replay(let replay):
      let made = order.written
      guard made < replay.steps.count else { return nil }
      return .misfit(
        "Step \(made + 1) of the replay, \"\(replay.steps[made].text)\", is not possible. Nothing is "
          + "left to happen.")
    case .follow: return nil
    }
  }

  enum Decision {
    case chosen(Int)
    case parting(String)
    case misfit(String)
  }

  private func difference(
    _ model: ExploredOrder.Point, _ tokens: [String], _ states: [StoreSnapshot]
  ) -> String? {
    if model.tokens != tokens {
      func text(_ tokens: [String]) -> String {
        listed(
          tokens.map { $0 == Choice.end ? "the end" : $0 == Choice.noFault ? "no fault" : $0 })
      }
      return "once \(text(model.tokens)) could follow, and once \(text(tokens))"
    }
    let areSame =
      model.states.count == states.count
      && zip(model.states, states).allSatisfy { $0.isSame(as: $1) }
    return areSame ? nil : "the states or the events of the stores differ"
  }
}
