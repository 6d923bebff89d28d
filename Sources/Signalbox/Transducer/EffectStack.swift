/// Holds the effects that a dispatch must still carry out, on a stack of its own.
///
/// A chain of events uses constant space because each event replaces the one before it (X2). An
/// effect *begins* when `update` or the action is called, or when the work is started or cancelled.
/// What it causes in the same dispatch *follows* from it.
///
///     sequence [a, b]               a, what follows from a, b
///     merge [a, b]                  a, b, what follows from a, what follows from b
///     merge [sequence [a, b], c]    a, b, c                           if nothing follows from a
///                                   a, c, what follows from a, b      if something does
///
/// A merge therefore carries out its effects in rounds, in which every branch has one turn. The
/// turn of a branch ends when something follows, which waits for the next round. Each round uses
/// the order in which the effects were written. The branches that a nested merge leaves for the
/// next round become branches of the outer merge.
@MainActor struct EffectStack<T: Transducer> {
  typealias Scope = Signalbox.Scope<T.State, T.Event>

  private enum BranchItem {
    case effect(T.Effect, Scope)
    case merge([Branch])
    /// Ends an event, which happens as soon as everything that the event caused has begun.
    case finish(ActionScope<T.State, T.Event>)
  }

  /// Items that are carried out one after the other, the next one last.
  private typealias Branch = [BranchItem]

  /// A merge whose branches are having their turns.
  private struct Round {
    /// What comes after the merge.
    var rest: Branch
    /// The branches that have not had their turn, the next one last.
    var waiting: [Branch]
    /// What is left of the branches that have had their turn.
    var left: [Branch] = []
    /// Whether `left` contains more than what follows from effects that have begun.
    var hasUnbegun = false
  }

  /// The branch that has its turn; outside of all rounds, everything that is left.
  private var branch: Branch = []
  /// The merges that contain the branch, the innermost last.
  private var rounds: [Round] = []

  mutating func add(_ followUp: FollowUp<T>) {
    if let event = followUp.event { branch.append(.finish(event)) }
    if let effect = followUp.effect { branch.append(.effect(effect, followUp.scope)) }
    finishEvents()
  }

  mutating func add(_ effect: T.Effect, for scope: Scope) { branch.append(.effect(effect, scope)) }

  mutating func carryOut(by handler: TransducerHandler<T>, _ conclusion: inout Conclusion<T>) {
    while true {
      switch branch.popLast() {
      case .finish(let event): event.hasFinished()
      case .effect(let effect, let scope): carryOut(effect, for: scope, by: handler, &conclusion)
      case .merge(let branches): beginRound(branches)
      case nil: if !endTurn() { return }
      }
    }
  }

  private mutating func carryOut(
    _ effect: T.Effect, for scope: Scope, by handler: TransducerHandler<T>,
    _ conclusion: inout Conclusion<T>
  ) {
    switch effect.step.content {
    case .sequence(let effects): branch += effects.reversed().map { .effect($0, scope) }
    case .merge(let effects): beginRound(effects.map { [.effect($0, scope)] })
    default:
      let next = begin(effect, scope, handler, &conclusion)
      finishEvents()
      guard let next else { return }
      let hasUnbegun = !branch.isEmpty
      add(next)
      if next.effect != nil, !rounds.isEmpty { endTurn(hasUnbegun: hasUnbegun) }
    }
  }

  private func begin(
    _ effect: T.Effect, _ scope: Scope, _ handler: TransducerHandler<T>,
    _ conclusion: inout Conclusion<T>
  ) -> FollowUp<T>? {
    switch effect.step.content {
    case .event(let event): return handler.begin(event, for: scope, &conclusion)
    case .action(let action):
      guard scope.isCurrent, let env = handler.env,
        let event = scope.causing({ action(env) })
      else { return nil }
      return handler.begin(event, for: scope, &conclusion)
    case .cancel(let id): scope.engine.cancel(id, from: scope)
    case .work, .debounce: handler.start(effect.step, for: scope, &conclusion)
    case .sequence, .merge: break
    }
    return nil
  }

  private mutating func beginRound(_ branches: [Branch]) {
    rounds.append(Round(rest: branch, waiting: branches.reversed()))
    branch = []
  }

  private mutating func endTurn(hasUnbegun: Bool) {
    rounds[rounds.count - 1].left.append(branch)
    if hasUnbegun { rounds[rounds.count - 1].hasUnbegun = true }
    branch = []
  }

  /// Gives the turn to the next branch or ends the round; returns whether anything is left.
  private mutating func endTurn() -> Bool {
    guard var round = rounds.popLast() else { return false }
    if let next = round.waiting.popLast() {
      branch = next
      rounds.append(round)
      return true
    }
    // Taken out, because a branch that is shared is copied when it grows.
    branch = exchange(&round.rest, with: [])
    if !round.hasUnbegun { finishEvents() }
    guard !round.left.isEmpty else { return true }
    // Without this, a chain of events, each in a merge, would nest the merges in one another.
    if branch.isEmpty, !rounds.isEmpty {
      rounds[rounds.count - 1].left += round.left
      if round.hasUnbegun { rounds[rounds.count - 1].hasUnbegun = true }
      return true
    }
    let hasUnbegun = round.hasUnbegun || !branch.isEmpty
    if round.left.count > 1 {
      branch.append(.merge(round.left))
    } else if branch.isEmpty {
      branch = round.left.removeLast()
    } else {
      branch += round.left[0]
    }
    if !rounds.isEmpty { endTurn(hasUnbegun: hasUnbegun) }
    return true
  }

  /// Ends events of which nothing is left to begin, so that a long chain does not keep them all.
  private mutating func finishEvents() {
    while case .finish(let event) = branch.last {
      branch.removeLast()
      event.hasFinished()
    }
  }
}

/// The effect that follows from an event, and its scope.
struct FollowUp<T: Transducer> {
  var effect: T.Effect?
  let scope: Scope<T.State, T.Event>
  /// The event, if it must still be ended.
  var event: ActionScope<T.State, T.Event>?
}

/// How a chain of events ends for the caller of a request (X5).
enum Conclusion<T: Transducer> {
  /// No caller waits for an answer.
  case unwanted
  case dropped
  case output(T.Output)
  case pending(EffectScope<T>)

  var isWanted: Bool { if case .unwanted = self { false } else { true } }
}
