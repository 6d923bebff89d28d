/// The content of an effect, a class so that code that passes it on does not need its metadata.
final class EffectStep<Event: Sendable, Env: Sendable, Output: Sendable>: Sendable {
  typealias Effect = TransducerEffect<Event, Env, Output>
  typealias Operation =
    @Sendable (Input<Event, Output>, Env) async throws -> EffectResult<Event, Env, Output>

  enum Content: Sendable {
    /// Managed work, with the name and the policy of the step.
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
  let handler: (@Sendable (any Error) -> Event?)?
  /// Whether the state of the child of `forward` that started it is there; `nil` if it always is.
  let presence: ChildPresence?
  /// The event whose change of the state is shown while the work is running (O8).
  let shown: Event?

  init(
    _ kind: EffectKind, _ content: Content, id: (any Hashable & Sendable)? = nil,
    overlap: Overlap = .concurrent, priority: TaskPriority? = nil,
    handler: (@Sendable (any Error) -> Event?)? = nil, presence: ChildPresence? = nil,
    shown: Event? = nil
  ) {
    self.kind = kind
    self.content = content
    self.id = id
    self.overlap = overlap
    self.priority = priority
    self.handler = handler
    self.presence = presence
    self.shown = shown
  }

  /// Whether a request that ends with this effect waits for it; `nil` if an earlier effect of the
  /// same sequence or merge decides.
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

  /// Whether the effect starts nothing but `fireAndForget`, so that it may outlive its child.
  ///
  /// Work that shows a change, or a `cancel`, may not: it would affect a later child at that place.
  var givesNothingBack: Bool {
    switch content {
    case .work: kind == .fireAndForget && shown == nil
    case .sequence(let effects), .merge(let effects): effects.allSatisfy(\.step.givesNothingBack)
    case .debounce(let effect, _, _): effect.step.givesNothingBack
    case .action, .event, .cancel: false
    }
  }
}

/// What managed work returns.
enum EffectResult<Event: Sendable, Env: Sendable, Output: Sendable>: Sendable {
  case nothing
  case output(Output)
  case event(Event)
  case effect(TransducerEffect<Event, Env, Output>)
}
