/// What is still to be carried out in a dispatch: a stack, so that a chain of events takes no more
/// room than one of them (X2).
///
/// An effect *begins* when `update` or the action is called, the work is started or cancelled. What
/// it leads to in the same dispatch *follows* from it.
///
///     sequence [a, b]               a, what follows from a, b
///     merge [a, b]                  a, b, what follows from a, what follows from b
///     merge [sequence [a, b], c]    a, b, c                           if nothing follows from a
///                                   a, c, what follows from a, b      if something does
///
/// So a merge goes through its effects in rounds, in each of which every branch takes its turn. A
/// branch goes on until something follows: that is for the next round. Each round goes by the order
/// in which the effects were written, and those of a merge within a merge are branches of the outer.
@MainActor struct EffectStack<T: Transducer> {
  typealias Scope = Signalbox.Scope<T.State, T.Event>

  private enum Item {
    case effect(T.Effect, Scope)
    case merge([Branch])
    /// The event has been dealt with as soon as all that it led to has begun.
    case finish(ActionScope<T.State, T.Event>)
  }

  /// One after the other, the next one last.
  private typealias Branch = [Item]

  /// A merge whose branches are taking their turns.
  private struct Round {
    /// What comes after the merge.
    let rest: Branch
    /// The branches that have not had their turn, the next one last.
    var waiting: [Branch]
    /// What is left of those that had it.
    var left: [Branch] = []
    /// Whether that is more than what follows from effects that have begun.
    var hasUnbegun = false
  }

  /// The branch whose turn it is; with no round under way, all there is.
  private var branch: Branch = []
  /// The merges that it lies in, the innermost last.
  private var rounds: [Round] = []

  /// What follows from an event.
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

  /// Begins an effect, and returns what follows from it in the same dispatch.
  private func begin(
    _ effect: T.Effect, _ scope: Scope, _ handler: TransducerHandler<T>,
    _ conclusion: inout Conclusion<T>
  ) -> FollowUp<T>? {
    switch effect.step.content {
    case .event(let event): return handler.begin(event, for: scope, &conclusion)
    case .action(let action):
      guard scope.isCurrent, let env = handler.env, let event = action(env) else { return nil }
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

  /// Ends the turn of a branch of which something is left, for the next round.
  private mutating func endTurn(hasUnbegun: Bool) {
    rounds[rounds.count - 1].left.append(branch)
    if hasUnbegun { rounds[rounds.count - 1].hasUnbegun = true }
    branch = []
  }

  /// Gives the turn to the next branch, or ends the round.
  ///
  /// - Returns: whether there is anything to go on with.
  private mutating func endTurn() -> Bool {
    guard var round = rounds.popLast() else { return false }
    if let next = round.waiting.popLast() {
      branch = next
      rounds.append(round)
      return true
    }
    branch = round.rest
    if !round.hasUnbegun { finishEvents() }
    guard !round.left.isEmpty else { return true }
    // Else a chain of events, each in a merge, would lie one in the other.
    if branch.isEmpty, !rounds.isEmpty {
      rounds[rounds.count - 1].left += round.left
      if round.hasUnbegun { rounds[rounds.count - 1].hasUnbegun = true }
      return true
    }
    let hasUnbegun = round.hasUnbegun || !branch.isEmpty
    if round.left.count == 1 { branch += round.left[0] } else { branch.append(.merge(round.left)) }
    if !rounds.isEmpty { endTurn(hasUnbegun: hasUnbegun) }
    return true
  }

  /// Finishes events of which nothing is left to begin, before what follows from them: a long chain
  /// is not to keep all of its events.
  private mutating func finishEvents() {
    while case .finish(let event) = branch.last {
      branch.removeLast()
      event.hasFinished()
    }
  }
}

/// What an event led to, and on whose behalf.
struct FollowUp<T: Transducer> {
  var effect: T.Effect?
  let scope: Scope<T.State, T.Event>
  /// The event, if it is to be finished.
  var event: ActionScope<T.State, T.Event>?
}

/// How a chain of events ends for who waits for an answer (X5).
enum Conclusion<T: Transducer> {
  /// Nobody waits for one.
  case unwanted
  case dropped
  case output(T.Output)
  case pending(EffectScope<T>)

  var isWanted: Bool { if case .unwanted = self { false } else { true } }
}
