/// The kind of an effect.
public enum EffectKind: Hashable, Sendable {
  /// Work that sends events.
  case run
  /// Work whose result answers a request.
  case request
  /// Work that returns one event or `nil`.
  case task
  /// A sequence whose elements are events.
  case events
  /// The observation of an object whose changes become events.
  case observe
  /// Work that sends and returns nothing.
  case fireAndForget
  /// A closure that runs in the same dispatch.
  case action
  /// An event in the same dispatch.
  case event
  /// The cancellation of work of a name.
  case cancel
  /// Several effects, one after the other.
  case sequence
  /// Several effects, side by side.
  case merge
  /// An effect that runs after a pause.
  case debounce
}

extension TransducerEffect {
  /// The kind of the effect, for tests of `update`, which need no store.
  ///
  ///     let effect = Search.update(&state, event: .queryChanged("cat"))
  ///     #expect(effect?.kind == .run)
  ///     #expect(effect?.id == AnyHashable("search"))
  public var kind: EffectKind { step.kind }

  /// The name of the work that the effect starts, debounces or cancels.
  public var id: AnyHashable? { step.id.map { Identifier($0).value } }

  /// The overlap policy of the work that the effect starts; `nil` if the effect is a debounce or is
  /// not work itself.
  public var overlap: Overlap? { if case .work = step.content { step.overlap } else { nil } }

  /// The event, if the kind of the effect is `event`.
  public var event: Event? { if case .event(let event) = step.content { event } else { nil } }

  /// The effects of a sequence or a merge, or the effect that is debounced.
  public var effects: [TransducerEffect] {
    switch step.content {
    case .sequence(let effects), .merge(let effects): effects
    case .debounce(let effect, _, _): [effect]
    case .work, .action, .event, .cancel: []
    }
  }
}

extension TransducerEffect: CustomStringConvertible {
  /// The effect as it is written in code, without its closures, such as `run(id: "search")`.
  public var description: String {
    let id = id.map { ($0.base as? String)?.debugDescription ?? Dump.description(of: $0.base) }
    return switch step.content {
    case .event(let event): "event(\(Dump.description(of: event)))"
    case .cancel: "cancel(\(id ?? ""))"
    case .sequence(let effects), .merge(let effects):
      "\(kind)([\(effects.map(\.description).joined(separator: ", "))])"
    case .debounce(let effect, let interval, _):
      "\(effect).debounce(for: \(interval), id: \(id ?? ""))"
    case .work, .action: "\(kind)" + (id.map { "(id: \($0))" } ?? "")
    }
  }
}
