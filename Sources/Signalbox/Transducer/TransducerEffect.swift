/// What a transducer wants carried out: a value that says what, and does nothing by itself.
///
///     return .run(id: "search") { input, env in
///       try input.post(.found(try await env.search(query)))
///     }
///     return .cancel("search")
///     return .sequence([.event(.saved), .task { env in .uploaded(await env.upload(draft)) }])
///
/// Managed work (`run`, `request`, `task`, `events`, `observe`, `fireAndForget` and what is
/// debounced) is in the store's books like any action: it can be awaited, cancelled and counted,
/// overlaps as its policy says (A4, X3), and is cancelled when the store is released. What it
/// captures is kept until it has returned. Once superseded or cancelled it can no longer send (X4).
public struct TransducerEffect<Event: Sendable, Env: Sendable, Output: Sendable>: Sendable {
  let step: EffectStep<Event, Env, Output>

  init(_ step: EffectStep<Event, Env, Output>) { self.step = step }
}

extension TransducerEffect {
  // MARK: - Managed work

  /// Starts work that sends events when it likes.
  ///
  /// - Parameters:
  ///   - id: the name of the work, within its store; `nil`: none.
  ///   - overlap: what happens to work of the same name that is not done yet.
  ///   - priority: of the task that runs it.
  ///   - operation: runs off the main actor, unless it says otherwise. What it throws goes to
  ///     `catch`, or is reported as unhandled (X6).
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
  ///   - id: the name of the work, within its store; `nil`: none.
  ///   - overlap: what happens to work of the same name that is not done yet. Whoever requested
  ///     what is superseded gets the answer of what came in its place.
  ///   - priority: of the task that runs it.
  ///   - operation: runs off the main actor, unless it says otherwise. What it throws goes to
  ///     `catch`, or to whoever made the request; without one it is reported as unhandled (X6).
  public static func request(
    id: (any Hashable & Sendable)? = nil, overlap: Overlap = .latest,
    priority: TaskPriority? = nil,
    _ operation: @escaping @Sendable (Input<Event, Output>, Env) async throws -> Output
  ) -> Self {
    work(.request, id, overlap, priority) { .output(try await operation($0, $1)) }
  }

  /// Starts work that gives one event, or none, when it is done.
  ///
  /// - Parameters:
  ///   - id: the name of the work, within its store; `nil`: none.
  ///   - overlap: what happens to work of the same name that is not done yet.
  ///   - priority: of the task that runs it.
  ///   - operation: runs off the main actor, unless it says otherwise. What it throws goes to
  ///     `catch`, or is reported as unhandled (X6).
  public static func task(
    id: (any Hashable & Sendable)? = nil, overlap: Overlap = .latest,
    priority: TaskPriority? = nil,
    _ operation: @escaping @Sendable (Env) async throws -> Event?
  ) -> Self {
    work(.task, id, overlap, priority) { _, env in
      try await operation(env).map { .event($0) } ?? .nothing
    }
  }

  /// Sends what an asynchronous sequence gives, in order, until it ends.
  ///
  ///     return .events(id: "location") { env in env.locations().map { .moved(to: $0) } }
  ///
  /// Each event has been dealt with before the next one is asked for.
  ///
  /// - Parameters:
  ///   - id: the name of the work, within its store; `nil`: none.
  ///   - overlap: what happens to work of the same name that is not done yet.
  ///   - sequence: makes the sequence, which is iterated on the main actor. What it throws goes to
  ///     `catch`, or is reported as unhandled (X6).
  public static func events<S: AsyncSequence & Sendable>(
    id: (any Hashable & Sendable)? = nil, overlap: Overlap = .latest,
    _ sequence: @escaping @Sendable (Env) -> S
  ) -> Self where S.Element == Event {
    work(.events, id, overlap, nil) { input, env in
      try await input.take(all: sequence(env))
      return .nothing
    }
  }

  /// Starts work of which nothing comes back.
  ///
  /// - Parameter operation: runs off the main actor, unless it says otherwise.
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

  /// Does something at once, and feeds `update` what it gives, in the same dispatch (X2).
  ///
  /// - Parameter action: runs on the main actor, after the state has changed.
  public static func action(_ action: @escaping @Sendable (Env) -> Event?) -> Self {
    Self(EffectStep(.action, .action(action)))
  }

  /// Feeds `update` another event, in the same dispatch (X2).
  ///
  /// A chain of them takes constant stack, however long it is.
  public static func event(_ event: Event) -> Self { Self(EffectStep(.event, .event(event))) }

  /// Cancels all work of a name, running and queued.
  ///
  /// Not an error if there is none.
  public static func cancel(_ id: any Hashable & Sendable) -> Self {
    Self(EffectStep(.cancel, .cancel(id), id: id))
  }

  // MARK: - Several

  /// Carries out several effects, one after the other.
  ///
  /// What is synchronous has settled, with all that follows from it, before the next begins; managed
  /// work is started and not awaited (X3).
  public static func sequence(_ effects: [Self]) -> Self {
    Self(EffectStep(.sequence, .sequence(effects)))
  }

  /// Carries out several effects side by side.
  ///
  /// They begin in order, each before anything that follows from another. A sequence or a merge among
  /// them begins at its turn: a merge with all of its effects, a sequence with those up to the first
  /// one from which something follows (X3).
  public static func merge(_ effects: [Self]) -> Self {
    Self(EffectStep(.merge, .merge(effects)))
  }

  // MARK: - Modified

  /// Waits until so long nothing has asked for the same, and carries the effect out then.
  ///
  ///     return .event(.save).debounce(for: .seconds(1), id: "pause") { env in env.clock }
  ///
  /// - Parameters:
  ///   - interval: how long. A negative one is treated as zero, one of more than 100 years as 100
  ///     years.
  ///   - id: the name of the wait, within its store: a second one of that name replaces the first,
  ///     whatever it is to carry out.
  ///   - clock: what to wait by, a test's clock in tests.
  public func debounce(
    for interval: Duration, id: any Hashable & Sendable,
    clock: @escaping @Sendable (Env) -> any Clock<Duration>
  ) -> Self {
    Self(
      EffectStep(
        .debounce, .debounce(self, max(interval, .zero), clock), id: id, overlap: .latest))
  }

  /// Waits until so long nothing has asked for the same, and carries the effect out then.
  ///
  /// - Parameters:
  ///   - interval: how long. A negative one is treated as zero, one of more than 100 years as 100
  ///     years.
  ///   - id: the name of the wait, within its store: a second one of that name replaces the first,
  ///     whatever it is to carry out.
  ///   - clock: what to wait by.
  public func debounce(
    for interval: Duration, id: any Hashable & Sendable,
    clock: any Clock<Duration> = ContinuousClock()
  ) -> Self {
    debounce(for: interval, id: id) { _ in clock }
  }

  /// Makes an event of an error that the effect throws; of several effects, each one's (X6).
  ///
  /// An effect in it that has a handler keeps that. Errors of what was superseded or cancelled reach
  /// nobody.
  ///
  /// - Parameter handler: runs on the main actor; `nil` is no event, and the error is done with.
  public func `catch`(_ handler: @escaping @Sendable (any Error) -> Event?) -> Self {
    let content: EffectStep<Event, Env, Output>.Content =
      switch step.content {
      case .sequence(let effects): .sequence(effects.map { $0.catch(handler) })
      case .merge(let effects): .merge(effects.map { $0.catch(handler) })
      case .debounce(let effect, let interval, let clock):
        .debounce(effect.catch(handler), interval, clock)
      case .work, .action, .event, .cancel: step.content
      }
    return Self(
      EffectStep(
        step.kind, content, id: step.id, overlap: step.overlap, priority: step.priority,
        handler: step.handler ?? handler))
  }
}
