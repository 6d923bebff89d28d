/// Describes what the store carries out after an event; the value itself does nothing.
///
///     return .run(id: "search") { input, env in
///       try input.post(.found(try await env.search(query)))
///     }
///     return .cancel("search")
///     return .sequence([.event(.saved), .task { env in .uploaded(await env.upload(draft)) }])
///
/// Managed work is what `run`, `request`, `task`, `events`, `observe`, `fireAndForget` and
/// `debounce` start. The store treats it like an action. It can be awaited, cancelled and counted,
/// it follows its overlap policy (A4, X3), and it is cancelled when the store is released. What it
/// captures is kept until it has returned. Once superseded or cancelled, it can no longer send
/// (X4).
public struct TransducerEffect<Event: Sendable, Env: Sendable, Output: Sendable>: Sendable {
  let step: EffectStep<Event, Env, Output>

  init(_ step: EffectStep<Event, Env, Output>) { self.step = step }
}

extension TransducerEffect {
  // MARK: - Managed work

  /// Starts work that can send any number of events.
  ///
  /// - Parameters:
  ///   - id: the name of the work within its store. `nil` means no name.
  ///   - overlap: what happens to running and queued work of the same name.
  ///   - priority: the priority of the task that runs the work.
  ///   - operation: the work. It runs off the main actor unless it is isolated to it. An error that
  ///     it throws goes to `catch` or is reported as unhandled (X6).
  public static func run(
    id: (any Hashable & Sendable)? = nil, overlap: Overlap = .latest,
    priority: TaskPriority? = nil,
    _ operation: @escaping @Sendable (Input<Event, Output>, Env) async throws -> Void
  ) -> Self {
    work(.run, id, overlap, priority) { input, env in
      try await operation(input, env)
      return .nothing
    }
  }

  /// Starts work whose result answers the request that led to it (X5).
  ///
  /// - Parameters:
  ///   - id: the name of the work within its store. `nil` means no name.
  ///   - overlap: what happens to running and queued work of the same name. If a request is
  ///     superseded, its caller receives the answer of the work that replaced it.
  ///   - priority: the priority of the task that runs the work.
  ///   - operation: the work. It runs off the main actor unless it is isolated to it. An error that
  ///     it throws goes to `catch`, or to the caller that made the request. Without either, it is
  ///     reported as unhandled (X6).
  public static func request(
    id: (any Hashable & Sendable)? = nil, overlap: Overlap = .latest,
    priority: TaskPriority? = nil,
    _ operation: @escaping @Sendable (Input<Event, Output>, Env) async throws -> Output
  ) -> Self {
    work(.request, id, overlap, priority) { .output(try await operation($0, $1)) }
  }

  /// Starts work that returns one event or `nil`.
  ///
  /// - Parameters:
  ///   - id: the name of the work within its store. `nil` means no name.
  ///   - overlap: what happens to running and queued work of the same name.
  ///   - priority: the priority of the task that runs the work.
  ///   - operation: the work. It runs off the main actor unless it is isolated to it. An error that
  ///     it throws goes to `catch` or is reported as unhandled (X6).
  public static func task(
    id: (any Hashable & Sendable)? = nil, overlap: Overlap = .latest,
    priority: TaskPriority? = nil,
    _ operation: @escaping @Sendable (Env) async throws -> Event?
  ) -> Self {
    work(.task, id, overlap, priority) { _, env in
      try await operation(env).map { .event($0) } ?? .nothing
    }
  }

  /// Sends the elements of an asynchronous sequence as events, in order, until the sequence ends.
  ///
  ///     return .events(id: "location") { env in env.locations().map { .moved(to: $0) } }
  ///
  /// The next element is requested after `update` has handled the previous one.
  ///
  /// - Parameters:
  ///   - id: the name of the work within its store. `nil` means no name.
  ///   - overlap: what happens to running and queued work of the same name.
  ///   - sequence: makes the sequence, which is iterated on the main actor. An error that the
  ///     sequence throws goes to `catch` or is reported as unhandled (X6).
  public static func events<S: AsyncSequence & Sendable>(
    id: (any Hashable & Sendable)? = nil, overlap: Overlap = .latest,
    _ sequence: @escaping @Sendable (Env) -> S
  ) -> Self where S.Element == Event {
    work(.events, id, overlap, nil) { input, env in
      try await input.take(all: sequence(env))
      return .nothing
    }
  }

  /// Starts work that sends and returns nothing.
  ///
  /// - Parameter operation: the work. It runs off the main actor unless it is isolated to it.
  public static func fireAndForget(
    _ operation: @escaping @Sendable (Env) async -> Void
  ) -> Self {
    work(.fireAndForget, nil, .concurrent, nil) { _, env in
      await operation(env)
      return .nothing
    }
  }

  private static func work(
    _ kind: EffectKind, _ id: (any Hashable & Sendable)?, _ overlap: Overlap,
    _ priority: TaskPriority?,
    _ operation: @escaping EffectStep<Event, Env, Output>.Operation
  ) -> Self {
    Self(EffectStep(kind, .work(operation), id: id, overlap: overlap, priority: priority))
  }

  // MARK: - In the same dispatch

  /// Runs a closure at once and passes the event that it returns to `update` in the same dispatch
  /// (X2).
  ///
  /// - Parameter action: runs on the main actor, after the state has changed.
  public static func action(_ action: @escaping @Sendable (Env) -> Event?) -> Self {
    Self(EffectStep(.action, .action(action)))
  }

  /// Passes another event to `update` in the same dispatch (X2).
  ///
  /// A chain of events uses constant stack, whatever its length.
  public static func event(_ event: Event) -> Self { Self(EffectStep(.event, .event(event))) }

  /// Cancels all running and queued work of a name.
  ///
  /// Does nothing if there is no such work.
  public static func cancel(_ id: any Hashable & Sendable) -> Self {
    Self(EffectStep(.cancel, .cancel(id), id: id))
  }

  // MARK: - Several effects

  /// Carries out several effects, one after the other.
  ///
  /// An effect starts when everything that follows from the previous one in the same dispatch has
  /// settled. Managed work is started and not awaited (X3).
  public static func sequence(_ effects: [Self]) -> Self {
    Self(EffectStep(.sequence, .sequence(effects)))
  }

  /// Carries out several effects side by side.
  ///
  /// The effects start in the order in which they are written, including nested ones, before
  /// anything that follows from one of them. A nested sequence runs up to the first effect from
  /// which something follows. The consequences then start in the same order (X3).
  public static func merge(_ effects: [Self]) -> Self {
    Self(EffectStep(.merge, .merge(effects)))
  }

  // MARK: - Modified effects

  /// Runs the effect once no new request with the same `id` has arrived for `interval`.
  ///
  ///     return .event(.save).debounce(for: .seconds(1), id: "pause") { env in env.clock }
  ///
  /// - Parameters:
  ///   - interval: the time to wait. A negative interval is treated as zero, and an interval of
  ///     more than 100 years as 100 years.
  ///   - id: the name of the wait within its store. A second wait of that name replaces the first
  ///     one, even if it is for a different effect.
  ///   - clock: returns the clock that measures the time, such as a test clock in tests.
  public func debounce(
    for interval: Duration, id: any Hashable & Sendable,
    clock: @escaping @Sendable (Env) -> any Clock<Duration>
  ) -> Self {
    Self(
      EffectStep(
        .debounce, .debounce(self, max(interval, .zero), clock), id: id, overlap: .latest))
  }

  /// Runs the effect once no new request with the same `id` has arrived for `interval`.
  ///
  /// - Parameters:
  ///   - interval: the time to wait. A negative interval is treated as zero, and an interval of
  ///     more than 100 years as 100 years.
  ///   - id: the name of the wait within its store. A second wait of that name replaces the first
  ///     one, even if it is for a different effect.
  ///   - clock: the clock that measures the time.
  public func debounce(
    for interval: Duration, id: any Hashable & Sendable,
    clock: any Clock<Duration> = ContinuousClock()
  ) -> Self {
    debounce(for: interval, id: id) { _ in clock }
  }

  /// Turns an error that the effect throws into an event (X6).
  ///
  /// On a sequence or a merge, it applies to each effect that has no `catch` of its own. Errors of
  /// superseded or cancelled work are dropped.
  ///
  /// - Parameter handler: returns the event, on the main actor. If it returns `nil`, no event is
  ///   sent and the error counts as handled.
  public func `catch`(_ handler: @escaping @Sendable (any Error) -> Event?) -> Self {
    with(handler: step.handler ?? handler, shown: step.shown) { $0.catch(handler) }
  }

  /// Shows what an event would change, from when the work begins to its end (O8).
  ///
  ///     return .task { env in .answered(try await env.star(id)) }.optimistic(.starred(id))
  ///
  /// If the work returns, the change becomes a part of the state, below what is pending then. If it
  /// throws, is cancelled or is superseded, the change is taken back, and nothing else is (O2). On a
  /// sequence or a merge, it applies to each managed work that shows no other event. Without managed work,
  /// nothing is shown. If a view has the state of the transducer, it traps.
  ///
  /// - Parameter event: the event. `update` receives it again with each commit, on a state that has
  ///   changed. The effects that it returns are ignored.
  public func optimistic(_ event: Event) -> Self {
    with(handler: step.handler, shown: step.shown ?? event) { $0.optimistic(event) }
  }

  /// The effect with another handler and another shown event, and changed effects inside it.
  private func with(
    handler: (@Sendable (any Error) -> Event?)?, shown: Event?, _ change: (Self) -> Self
  ) -> Self {
    let content: EffectStep<Event, Env, Output>.Content =
      switch step.content {
      case .sequence(let effects): .sequence(effects.map(change))
      case .merge(let effects): .merge(effects.map(change))
      case .debounce(let effect, let interval, let clock):
        .debounce(change(effect), interval, clock)
      case .work, .action, .event, .cancel: step.content
      }
    return Self(
      EffectStep(
        step.kind, content, id: step.id, overlap: step.overlap, priority: step.priority,
        handler: handler, presence: step.presence, shown: shown))
  }
}
