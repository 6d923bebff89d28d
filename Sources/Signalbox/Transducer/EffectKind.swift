/// What an effect does, in one word.
public enum EffectKind: Hashable, Sendable {
  /// Work that sends events.
  case run
  /// Work whose result is an answer.
  case request
  /// Work that gives one event, or none.
  case task
  /// A sequence whose elements are events.
  case events
  /// An object whose changes are events.
  case observe
  /// Work of which nothing comes back.
  case fireAndForget
  /// Something done in the same dispatch.
  case action
  /// An event in the same dispatch.
  case event
  /// The end of work of a name.
  case cancel
  /// Several, one after the other.
  case sequence
  /// Several, side by side.
  case merge
  /// Another effect, later.
  case debounce
}

extension TransducerEffect {
  /// What the effect does, for a test of `update`, which needs no store.
  ///
  ///     let effect = Search.update(&state, event: .queryChanged("cat"))
  ///     #expect(effect?.kind == .run)
  ///     #expect(effect?.id == AnyHashable("search"))
  public var kind: EffectKind { step.kind }

  /// The name of the work that it starts, debounces or cancels.
  public var id: AnyHashable? { step.id.map { Identifier($0).value } }

  /// What happens to work of the same name that is not done yet; `nil` for what is no work.
  public var overlap: Overlap? { if case .work = step.content { step.overlap } else { nil } }

  /// The event, if it is nothing else.
  public var event: Event? { if case .event(let event) = step.content { event } else { nil } }

  /// The effects that it is made of: those of a sequence or a merge, or the one that is debounced.
  public var effects: [TransducerEffect] {
    switch step.content {
    case .sequence(let effects), .merge(let effects): effects
    case .debounce(let effect, _, _): [effect]
    case .work, .action, .event, .cancel: []
    }
  }
}

extension TransducerEffect: CustomStringConvertible {
  /// What it is, as one would write it, without what it does: `run(id: "search")`.
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
