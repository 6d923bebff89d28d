/// The scope of the store that an interactor receives in `children(of:)` (C11).
///
///     work of a child ──▶ closure ──▶ MutatingStore ──▶ ParentScope ──▶ CallerScope of that work
///                                                           └─────────▶ ClosureScope
///
/// Work of any child may use that store at any time, so each access finds out who calls.
final class ParentScope<State, Action>: Scope<State, Action> {
  /// The scope of calls from outside of the work of children.
  private let outside: Scope<State, Action>
  private var forwarder: StateStorage<State>?

  override init(in engine: Engine<State, Action>) {
    outside = ClosureScope(in: engine)
    super.init(in: engine)
  }

  /// Begins to ask who calls, which is pointless in a store without children.
  func beginForwarding() {
    let forwarder = StateStorage(forwardingFrom: engine.storage) { [unowned self] in current }
    self.forwarder = forwarder
    use(forwarder)
  }

  override var currentCause: Int? { engine.log.currentCause }

  override var current: Scope<State, Action> {
    guard let caller = TaskOrigin.caller as? any CallingScope,
      // What a delivery calls is not called by the work that led to the delivery.
      caller.beganInDelivery || !Propagation.isDelivering
    else { return outside }
    return caller.scope(in: engine)
  }
}

/// The scope of the closures of `children(of:)` outside of the work of children, as in their hooks.
private final class ClosureScope<State, Action>: StoreScope<State, Action> {
  override var writerName: String { "a closure of children(of:)" }
}

/// The scope of what work of a child does through a parent's store, until that work is cut off.
final class CallerScope<State, Action>: Scope<State, Action> {
  private weak var caller: (any CallingScope)?
  /// Whether the caller is work of a child of this store, whose events share its numbers.
  private var isOfFamily = false
  private var depth = 0

  init(_ caller: any CallingScope, in engine: Engine<State, Action>) {
    self.caller = caller
    super.init(in: engine)
  }

  override var mayBeDetached: Bool { true }
  override var isOfWork: Bool { true }
  override var writerName: String { caller?.writerName ?? super.writerName }
  override var worker: Work { caller ?? self }

  override func cause(_ event: Int?) -> Int? { isOfFamily ? event : nil }

  override func acting<Result>(_ body: (Scope<State, Action>) -> Result) -> Result {
    if let caller { startWork(for: caller) }
    depth += 1
    defer { depth -= 1 }
    return body(self)
  }

  fileprivate func update(from caller: any CallingScope) {
    isOfFamily = caller.transaction === engine.storage.transaction
    cause = engine.log.number(of: caller.causeOfWrites)
    began = cause == nil ? nil : caller.began
    if !caller.reachesOthers, isCurrent { detach() }
  }
}

extension CallerScope: CallerDelegate {
  var isCalling: Bool { depth > 0 }
  func isOf(_ engine: AnyObject) -> Bool { self.engine === engine }
}

/// A `CallerScope` of any type.
@MainActor protocol CallerDelegate: Detachable {
  /// Whether the caller is in the middle of starting other work.
  var isCalling: Bool { get }
  func isOf(_ engine: AnyObject) -> Bool
}

/// A scope on whose behalf other code may be called.
@MainActor protocol CallingScope: Work, Caller {
  var writerName: String { get }
  var causeOfWrites: Propagation.Cause? { get }
  var transaction: Transaction { get }
  var began: Beginning? { get }
  var beganInDelivery: Bool { get }
  /// Whether what the caller does through the stores of its parents reaches them.
  var reachesOthers: Bool { get }
  func scope<S, A>(in engine: Engine<S, A>) -> CallerScope<S, A>
}

extension Scope: CallingScope {
  final var transaction: Transaction { engine.storage.transaction }

  final var causeOfCalls: Propagation.Cause? { began == nil ? nil : causeOfWrites }

  final var reachesOthers: Bool { isCurrent && !engine.isClosed || isLeaving }

  /// Runs code after work has ended; it may end the child and go on, as the work may (C11).
  final func leaving(_ body: () -> Void) {
    guard engine.isChild, !engine.isClosed else { return body() }
    isLeaving = true
    body()
    isLeaving = false
    if engine.isClosed { for delegate in delegates { delegate.detach() } }
  }

  final func scope<S, A>(in engine: Engine<S, A>) -> CallerScope<S, A> {
    let known = delegates.first { $0.isOf(engine) } as? CallerScope<S, A>
    let scope = known ?? CallerScope(self, in: engine)
    if known == nil { add(delegate: scope) }
    scope.update(from: self)
    return scope
  }

  /// Whether `causing` has an effect even without events.
  @inline(__always) final var mayHaveCaller: Bool { engine.isChild || TaskOrigin.isUsed }

  /// Runs user code as this scope: as the cause and, in a child, as the caller of parents (C11).
  final func causing<Result>(_ body: () -> Result) -> Result {
    let cause = causeOfCalls
    let caller = engine.isChild && callsParents ? self : nil
    return Propagation.withoutOwner {
      guard cause != nil || caller != nil else { return TaskOrigin.without(body) }
      beganInDelivery = Propagation.isDelivering
      // By then, the body was suspended or has ended.
      defer { beganInDelivery = false }
      return Propagation.causing(cause, by: caller, body)
    }
  }
}
