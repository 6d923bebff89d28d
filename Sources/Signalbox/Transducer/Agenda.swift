/// What is still to be carried out in a dispatch: a stack, so that a chain of events takes no more
/// room than one of them (X2).
///
///     sequence [a, b]        a, then what follows from a, then b
///     merge [a, b]           a, b, then what follows from a, then what follows from b
@MainActor struct Agenda<T: Transducer> {
  typealias Scope = Signalbox.Scope<T.State, T.Event>

  enum Item {
    case effect(T.Effect, Scope)
    case merge([(T.Effect, Scope)])
    /// The event has been dealt with as soon as all that it led to has begun.
    case finish(ActionScope<T.State, T.Event>)
  }

  private var items: [Item] = []

  /// What follows from an event.
  mutating func add(_ followUp: FollowUp<T>) {
    if let event = followUp.event { items.append(.finish(event)) }
    if let effect = followUp.effect { items.append(.effect(effect, followUp.scope)) }
    finishEvents()
  }

  mutating func add(_ effect: T.Effect, for scope: Scope) { items.append(.effect(effect, scope)) }

  mutating func carryOut(by handler: TransducerHandler<T>, _ conclusion: inout Conclusion<T>) {
    while let item = items.popLast() {
      switch item {
      case .finish(let event): event.hasFinished()
      case .effect(let effect, let scope):
        let next = begin(effect, scope, handler, &conclusion)
        finishEvents()
        if let next { add(next) }
      case .merge(let effects):
        var later: [(T.Effect, Scope)] = []
        for (effect, scope) in effects {
          guard let next = begin(effect, scope, handler, &conclusion) else { continue }
          if let event = next.event { items.append(.finish(event)) }
          if let effect = next.effect { later.append((effect, next.scope)) }
        }
        if !later.isEmpty { items.append(.merge(later)) }
        finishEvents()
      }
    }
  }

  /// Begins an effect, and returns what follows from it in the same dispatch.
  private mutating func begin(
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
    case .sequence(let effects): items += effects.reversed().map { .effect($0, scope) }
    case .merge(let effects): items.append(.merge(effects.map { ($0, scope) }))
    }
    return nil
  }

  /// Finishes events of which nothing is left to begin, before what follows from them: a long chain
  /// is not to keep all of its events.
  private mutating func finishEvents() {
    while case .finish(let event) = items.last {
      items.removeLast()
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
