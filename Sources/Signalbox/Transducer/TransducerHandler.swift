import Synchronization

/// Runs a transducer, by passing events to `update` and carrying out the effects that it returns.
///
///     Input ──post──▶ Inbox ──▶ TransducerHandler ──▶ EffectStack   effects of this dispatch
///                                    │   ▲                 │
///                                 update └── EffectScope ◀─┘        managed work, in the book
///
/// The engine owns it. With the store, it releases what it holds, so an `Input` keeps nothing else.
final class TransducerHandler<T: Transducer>: ActionHandler<T.State, T.Event> {
  typealias Scope = Signalbox.Scope<T.State, T.Event>

  struct Post: Sendable {
    let event: T.Event
    let origin: Work?
    let handler: TransducerHandler
  }

  /// What `begin` and `start` pass to each other through the engine and the work.
  private enum Handover {
    case none
    /// The event that `begin` is starting, and whether its output is wanted.
    case expected(ActionScope<T.State, T.Event>, wantsOutput: Bool)
    case updated(effect: T.Effect?, output: T.Output?)
  }

  private(set) var env: T.Env?
  private var owner: StateOwner<T.State>?
  /// The scope of events from outside of the store; `nil` once the store was released.
  var outside: Scope?
  private var handover = Handover.none
  nonisolated let inbox = Inbox<Post>(recurses: false) { message in
    if case .value(let post) = message { post.handler.take(post.event, from: post.origin) }
  }
  nonisolated let isClosed = Atomic(false)
  /// The work that ends with the state of a child; `nil` until there is some.
  private var forwarded: ForwardedWork<T.State>?

  init(env: T.Env, owner: StateOwner<T.State>? = nil) {
    self.env = env
    self.owner = owner
  }

  override func connect(_ scope: Scope) { outside = scope }

  override var feature: Any.Type { T.self }
  override var performsItself: Bool { true }
  override nonisolated var receiver: (any Sendable)? { self }

  override func drainPosts() { inbox.drainIfNeeded() }

  override func close() {
    isClosed.store(true, ordering: .releasing)
    // Released last, because an object in the environment may dispatch in its `deinit`.
    let held = (env.take(), owner.take(), outside.take(), forwarded.take())
    withExtendedLifetime(held) {}
  }

  // MARK: - Events

  override func handleAtOnce(
    _ event: T.Event, in engine: Engine<T.State, T.Event>
  ) -> Bool {
    if engine.isObserved { return false }
    inbox.drainIfNeeded()
    guard let outside else { return true }
    let storage = outside.storage
    // The state of a child may have no address.
    if owner != nil || !storage.isRoot {
      take(event, from: nil)
      return true
    }
    let isWatched = storage.beginUpdate(by: outside)
    let effect = unsafe T.update(&storage.memory.pointee, event: event)
    storage.endUpdate(isWatched, by: outside)
    if let effect { carryOut(effect, for: outside) }
    return true
  }

  /// Starts an event outside of the book, where it never counts as running, recorded or not,
  /// because it ends within `dispatch` and overlaps with nothing.
  override func perform(
    _ event: T.Event, from caller: Scope, in engine: Engine<T.State, T.Event>,
    willStart: (ActionScope<T.State, T.Event>) -> Void
  ) -> ActionScope<T.State, T.Event> {
    let scope = ActionScope(event, name: nil, parent: caller, in: engine)
    if engine.log.isWatched { scope.begin(cause: caller.currentCause) }
    willStart(scope)
    // A recorder of the event may have released the store.
    if engine.isClosed { scope.cancel(.closed) } else { engine.book.start(scope) }
    return scope
  }

  // Separate, so that an event without an effect does not pay for the metadata of these types.
  @inline(never) private func carryOut(_ effect: T.Effect, for scope: Scope) {
    var conclusion = Conclusion<T>.unwanted
    carryOut(effect, for: scope, &conclusion)
  }

  override func start(_ scope: ActionScope<T.State, T.Event>) -> Task<Void, any Error>? {
    guard scope.begin() else { return nil }
    if case .expected(let expected, let wantsOutput) = handover, expected === scope {
      // Emptied first and set last, because observers that `update` notifies may begin events.
      handover = .none
      let result = update(scope.action, by: scope, wantsOutput: wantsOutput)
      handover = .updated(effect: result.effect, output: result.output)
    } else {
      let effect = update(scope.action, by: scope, wantsOutput: false).effect
      var effects = EffectStack<T>()
      var conclusion = Conclusion<T>.unwanted
      effects.add(FollowUp(effect: effect, scope: scope, event: scope))
      effects.carryOut(by: self, &conclusion)
    }
    return nil
  }

  override func onError(
    _ error: any Error, action: T.Event, store: MutatingStore<T.State, T.Event>
  ) {
    store.scope.engine.reportUnhandled(error, of: action, in: store.scope)
  }

  private func update(
    _ event: T.Event, by scope: Scope, wantsOutput: Bool
  ) -> (effect: T.Effect?, output: T.Output?) {
    guard let owner else {
      return scope.storage.update(by: scope) { runUpdate(event, &$0, wantsOutput: wantsOutput) }
    }
    var state = owner.read()
    let result = runUpdate(event, &state, wantsOutput: wantsOutput)
    // The owner is written first, because an observer of the change may send the next event.
    owner.write(state)
    let now = owner.read()
    scope.storage.update(by: scope) { $0 = now }
    return result
  }

  /// Shows what an event would change until the end of an effect's work, while the child of
  /// `presence` is there (O8).
  func show(_ event: T.Event, in scope: Scope, of presence: ChildPresence?) {
    if owner != nil {
      fatalError(
        """
        optimistic(_:) on an effect of \(T.self): the state belongs to a view, and the store has only a \
        copy of it, so the view would not show the change. Use a store that owns its state.
        """)
    }
    scope.engine.optimistic(
      { if presence?.isThere($0) ?? true { _ = T.update(&$0, event: event) } }, in: scope)
  }

  private func runUpdate(
    _ event: T.Event, _ state: inout T.State, wantsOutput: Bool
  ) -> (effect: T.Effect?, output: T.Output?) {
    let effect = T.update(&state, event: event)
    return (effect, wantsOutput ? T.output(state: state, event: event) : nil)
  }

  /// Processes an event and all that follows from it in the same dispatch.
  func process(_ event: T.Event, for caller: Scope, _ conclusion: inout Conclusion<T>) {
    caller.engine.book.dispatching {
      guard let followUp = begin(event, for: caller, &conclusion) else { return }
      var effects = EffectStack<T>()
      effects.add(followUp)
      effects.carryOut(by: self, &conclusion)
    }
  }

  func carryOut(_ effect: T.Effect, for scope: Scope, _ conclusion: inout Conclusion<T>) {
    var effects = EffectStack<T>()
    effects.add(effect, for: scope)
    scope.engine.book.dispatching { effects.carryOut(by: self, &conclusion) }
  }

  /// Passes an event to `update` and returns what follows from it.
  func begin(
    _ event: T.Event, for caller: Scope, _ conclusion: inout Conclusion<T>
  ) -> FollowUp<T>? {
    let engine = caller.engine
    guard caller.isCurrent, env != nil else {
      caller.report(.dropped(.action(event)))
      if conclusion.isWanted { conclusion = .dropped }
      return nil
    }
    let wantsOutput = conclusion.isWanted
    if caller === outside, !engine.isObserved {
      let result = update(event, by: caller, wantsOutput: wantsOutput)
      if let output = result.output { conclusion = .output(output) }
      return result.effect.map { FollowUp(effect: $0, scope: caller) }
    }
    let scope = engine.perform(event, from: caller) {
      self.handover = .expected($0, wantsOutput: wantsOutput)
    }
    // It is still `.expected` if the event was cancelled before it started.
    guard case .updated(let effect, let output) = exchange(&handover, with: .none), let scope else {
      return nil
    }
    if let output { conclusion = .output(output) }
    return FollowUp(effect: effect, scope: scope, event: scope)
  }

  func start(
    _ step: EffectStep<T.Event, T.Env, T.Output>, for caller: Scope,
    _ conclusion: inout Conclusion<T>
  ) {
    let presence = step.givesNothingBack ? nil : step.presence
    guard caller.isCurrent, env != nil, !caller.engine.book.hasCancelledEvent(before: caller),
      isThere(presence, for: caller)
    else {
      caller.report(.dropped(.run))
      if step.replies ?? false, conclusion.isWanted { conclusion = .dropped }
      return
    }
    let scope = EffectScope(step, parent: caller, maker: caller.origin, of: self)
    caller.engine.book.admit(scope, overlap: step.overlap) {
      // Added before anything else, because code that receives the report may end the child.
      if let presence { forwarded?.add(scope, presence) }
      scope.begin(cause: caller.currentCause)
      // User code has compared the names, and may have ended the child.
      if let presence, scope.name != nil { forwarded?.check(scope, presence) }
    }
    scope.join(scope.leader)
    if step.replies ?? false, conclusion.isWanted { conclusion = .pending(scope) }
  }

  private func isThere(_ presence: ChildPresence?, for caller: Scope) -> Bool {
    guard let presence else { return true }
    let forwarded =
      self.forwarded ?? ForwardedWork(caller.engine.storage, caller.engine.book)
    self.forwarded = forwarded
    return forwarded.isThere(presence)
  }
}
