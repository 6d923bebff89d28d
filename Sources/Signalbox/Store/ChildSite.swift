/// A property of a store's state that is the state of a child or contains the states of children.
///
///     Engine ──▶ ChildSite ──▶ ChildRecord ──▶ Engine of the child ──▶ ChildSite ──▶ …
///                (Site)        of each live child
///
/// A child is live from when it is begun or asked for until its state goes.
@MainActor class ChildSite<State>: Site {
  struct Key: Hashable {
    let path: StatePath
    let type: ObjectIdentifier
  }

  let key: Key
  let owner: ChildOwner<State>

  init(_ path: StatePath, _ type: Any.Type, in owner: ChildOwner<State>) {
    key = Key(path: path, type: ObjectIdentifier(type))
    self.owner = owner
    super.init(path.moved(by: owner.storage.prefix))
  }

  /// Whether the site is told of changes of the property, which may begin and end its children.
  var isTold: Bool { false }
  /// The live children, in the order in which they were begun.
  var children: [any ChildEngine] { [] }
  /// Ends all children, because the parent ends.
  func close() {}
  /// Whether the site can be asked for a child after that.
  var isKept: Bool { false }
}

/// What a child needs of its parent; emptied when the parent ends, so sites hold nothing then.
@MainActor final class ChildOwner<State> {
  let storage: StateStorage<State>
  private(set) var engine: (any ChildEngine)?
  /// Set when the parent's hooks are connected; until then, children begin only on demand (H1).
  var beginsChildren = false

  init(_ storage: StateStorage<State>, _ engine: any ChildEngine) {
    self.storage = storage
    self.engine = engine
  }

  // Connects a log that was switched on, which may run user code. If that code ran while a child is
  // made, the site could not end the child.
  func connectListeners() { _ = engine?.eventLog.isWatched }

  func close() { engine = nil }
}

/// The engine of a store, without the types of its state and actions.
@MainActor protocol ChildEngine: AnyObject {
  var follower: (any WorkFollower)? { get }
  /// Whether only a pending change shows the state, so that nothing in it begins (O3).
  var isWithheld: Bool { get }
  var eventLog: any ParentLog { get }
  /// The number of pieces of work that are running or queued, here and in all children.
  var runningCount: Int { get }
  /// The book of this store or of a child that has work; `nil` if there is no work.
  var busyBook: WorkBook? { get }
  func cancelAll()
  var hooksAreOff: Bool { get }
  func deactivateHooks()
  func drainPosts()
  func setParentWatched(_ isWatched: Bool)
  func reportDuplicate(_ text: String)
}

/// When the children of a collection begin.
enum ChildBeginning {
  case always
  case onDemand
  /// As the first child will tell: whether its kind declares children.
  case unknown
}

/// A live child.
@MainActor final class ChildRecord<State, Action> {
  let engine: Engine<State, Action>
  let scope: StoreScope<State, Action>

  init<Owner>(
    _ storage: StateStorage<State>, _ handler: ActionHandler<State, Action>, at path: ChildPath,
    of owner: ChildOwner<Owner>
  ) {
    engine = Engine(child: storage, handler: handler, at: path, of: owner.engine)
    scope = StoreScope(in: engine)
  }

  /// Begins the child, or only lets it be looked at while its state is not in the truth (O3).
  func begin(isTrue: Bool) { engine.begin(isTrue: isTrue, scope) }

  /// The last handle for code outside of work: a view that gets the same one is not redrawn.
  private weak var handle: Store<State, Action>?

  /// A handle for the code of `caller`: it has its cause, and is detached with it (A6).
  func store<S, A>(for caller: Scope<S, A>) -> Store<State, Action> {
    guard caller.mayBeDetached || caller.cause != nil else { return sharedHandle }
    let handle = HandleScope(in: engine, cause: caller.cause, isOfWork: caller.isOfWork)
    if caller.mayBeDetached { caller.add(handle) }
    // What an action starts in a child is a part of what it has started (A2).
    if caller.isOfWork { handle.startWork(for: caller.worker) }
    return Store(handleTo: engine, handle)
  }

  private var sharedHandle: Store<State, Action> {
    if let handle { return handle }
    let store = Store(handleTo: engine, scope)
    handle = store
    return store
  }
}

/// The scope of a handle that an action, a run or a hook has asked for.
final class HandleScope<State, Action>: Scope<State, Action> {
  private let isWorkers: Bool

  init(in engine: Engine<State, Action>, cause: Int?, isOfWork: Bool) {
    isWorkers = isOfWork
    super.init(in: engine)
    self.cause = cause
  }

  override var mayBeDetached: Bool { true }
  override var isOfWork: Bool { isWorkers }

  /// What an action does has one cause; what a hook does follows from the delivery in progress (H5).
  override var currentCause: Int? {
    isWorkers ? cause ?? engine.log.currentCause : engine.log.currentCause ?? cause
  }
}
