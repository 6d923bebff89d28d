/// What an effect is made of: one reference, so that whoever has an effect need not know what it is
/// of.
final class EffectStep<Event: Sendable, Env: Sendable, Output: Sendable>: Sendable {
  typealias Effect = TransducerEffect<Event, Env, Output>
  typealias Operation =
    @Sendable (Input<Event, Output>, Env) async throws -> EffectResult<Event, Env, Output>

  enum Content: Sendable {
    /// Managed, with the name and the policy of the step.
    case work(Operation)
    case action(@Sendable (Env) -> Event?)
    case event(Event)
    case cancel(any Hashable & Sendable)
    case sequence([Effect])
    case merge([Effect])
    case debounce(Effect, Duration, @Sendable (Env) -> any Clock<Duration>)
  }

  let kind: EffectKind
  let content: Content
  let id: (any Hashable & Sendable)?
  let overlap: Overlap
  let priority: TaskPriority?
  /// Makes an event of what the work throws.
  let handler: (@Sendable (any Error) -> Event?)?

  init(
    _ kind: EffectKind, _ content: Content, id: (any Hashable & Sendable)? = nil,
    overlap: Overlap = .concurrent, priority: TaskPriority? = nil,
    handler: (@Sendable (any Error) -> Event?)? = nil
  ) {
    self.kind = kind
    self.content = content
    self.id = id
    self.overlap = overlap
    self.priority = priority
    self.handler = handler
  }

  /// Whether a request that ends with it has to wait for it; `nil`: that is for others to say.
  var replies: Bool? {
    switch content {
    case .work: kind == .request ? true : nil
    case .sequence(let effects), .merge(let effects):
      effects.lazy.reversed().compactMap { $0.step.replies }.first
    case .debounce(let effect, _, _): effect.step.replies
    case .action, .event: false
    case .cancel: nil
    }
  }
}

/// What managed work leaves behind when it has returned.
enum EffectResult<Event: Sendable, Env: Sendable, Output: Sendable>: Sendable {
  case nothing
  case output(Output)
  case event(Event)
  case effect(TransducerEffect<Event, Env, Output>)
}
