public import Signalbox

/// A store for tests, which records everything that happens in it.
///
///     let store = TestStore(state: ChatState(), interactor: ChatInteractor(service: fake))
///     await store.dispatch(.load) { $0.messages = .loaded([hello]) }
///     await store.hook(ChatHook.messageReceived) { incoming.send(hello) } expecting: {
///       $0.messages = .loaded([hello, hello])
///     }
///
/// It consists of the real engine and a recorder (T1). The closure of an assertion must give the whole
/// state after. With the label `including:`, it asserts only what it changes. In a store made with
/// `exhaustive: true`, the rest must be asserted, too (T5). Assertions wait for events and never
/// sleep. Only a failing test takes as long as its timeout, which passes only while everything waits
/// for the outside (T7). Failures are recorded at the caller's line, both in Swift Testing and in XCTest (T4).
///
/// An error that nothing handles fails the test, unless the test calls `expectError` (T8). So does a
/// loop of writes that was stopped.
@MainActor @dynamicMemberLookup public final class TestStore<State: Equatable, Action> {
  nonisolated let reporter: Reporter<State, Action>
  let tracker: WorkTracker
  private let book: Recorder<State, Action>
  /// The test store of the parent, if this is one of a child, which keeps it.
  let parent: (any SettlingStore)?
  var children: [WeakStore] = []
  /// The type of the hooks and their names; `nil` in a store without hooks.
  private(set) var hooks: (type: Any.Type, names: [String])?
  private var recording: Subscription?
  private var home: TestScope
  /// The number of the store among those of its test.
  private(set) var number = 0

  nonisolated var store: Store<State, Action> { reporter.store }

  var isExhaustive: Bool { reporter.isExhaustive }

  /// Whether the hook that `testHook` waited for has fired.
  public internal(set) var didTriggerHook = false

  init(_ store: Store<State, Action>, exhaustive: Bool, at origin: CallSite) {
    let scope = TestScope.current
    home = scope
    let recorder = Recorder<State, Action>(
      store.instruments.state, from: origin, in: scope.activity)
    book = recorder
    parent = nil
    tracker = WorkTracker(in: scope.activity) { [weak recorder] in recorder?.workBegins($0) }
    reporter = Reporter(store, recorder, tracker, scope, exhaustive: exhaustive, from: origin)
    tracker.testWaits = { [weak reporter] event, giveUp in
      reporter?.testWaits(for: event, orGiveUp: giveUp) ?? {}
    }
    recording = store.record(by: recorder)
    scope.record(store, from: origin)
    store.instruments.follow(by: tracker)
    number = scope.add(self)
  }

  /// Makes the test store of a child, which has the engine, the work and the events of its parent.
  init<P, PA>(
    _ child: Store<State, Action>, of parent: TestStore<P, PA>, at place: ChildPlace<P, State>
  ) {
    self.parent = parent
    hooks = child.instruments.hooks
    home = parent.scope
    tracker = parent.tracker
    number = parent.number
    book = parent.recorder.child(child.eventLog, place, state: child.instruments.state)
    // Only a transducer has no hooks here.
    book.endsBeforeEffects = hooks == nil
    reporter = Reporter(
      child, book, tracker, home, exhaustive: parent.isExhaustive, from: book.ledger.site,
      of: parent.reporter.asParent(of: child.eventLog, place))
  }

  var recorder: Recorder<State, Action> {
    book.catchUp()
    return book
  }

  // Not isolated, because an isolated `deinit` does not see the task-local values that name the test.
  // A test that does not run on the main actor may release the store on any thread.
  deinit { MainQueue.run { [reporter] in reporter.reportWhatIsLeft() } }

  // A store may be made before its test begins, such as in a property of an `XCTestCase`. It moves
  // to the test that uses it.
  var scope: TestScope {
    if let parent { return parent.scope }
    let current = TestScope.current
    if current.isExplored, current !== home { current.meets(storeOfOtherTest: storeName) }
    // In an exploration, stores neither join nor leave.
    guard current !== home, !current.isExplored, !home.isExplored, RunningTest.isKnown else {
      return home
    }
    home.remove(self)
    home = current
    number = home.add(self)
    home.record(store, from: book.ledger.site)
    for work in [tracker.inFlight, tracker.held, tracker.sequences] { work.move(to: home.activity) }
    recorder.activity = home.activity
    reporter.scope = home
    return home
  }

  /// Makes a test store with actions and hooks.
  ///
  /// - `state`: the initial state.
  /// - `interactor`: handles the actions and hooks. It is kept as long as the store.
  /// - `middleware`: wraps the actions, the first one outermost.
  /// - `exhaustive`: whether everything that is not asserted is a failure (T5), which is at this line
  ///   if the store is released without `finish()`.
  /// - `name`: the name of the store in failures, for a test with several stores.
  public convenience init<I: Interactor>(
    state: I.State, interactor: I, middleware: any Middleware<I.State, I.Action>...,
    exhaustive: Bool = false, name: String? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) where State == I.State, Action == I.Action {
    self.init(
      Store(state: state, handler: .interactor(interactor, middleware), name: name),
      exhaustive: exhaustive,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    connect { $0.connect() }
  }

  /// Makes a test store with actions.
  ///
  /// An interactor has its hooks here, too (H1).
  public convenience init<A: Actionable>(
    state: A.State, actionable: A, middleware: any Middleware<A.State, A.Action>...,
    exhaustive: Bool = false, name: String? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) where State == A.State, Action == A.Action {
    self.init(
      Store(state: state, handler: .actionable(actionable, middleware), name: name),
      exhaustive: exhaustive,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    connect { $0.connect() }
  }

  /// Makes a test store with hooks.
  ///
  /// An interactor handles its actions here, too (H1).
  public convenience init<H: Hookable<State, Action>>(
    state: State, hookable: H, exhaustive: Bool = false, name: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      Store(state: state, handler: .interactor(from: hookable), name: name),
      exhaustive: exhaustive,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    connect { $0.connect(hookable) }
  }

  private func connect(_ connect: (Instruments<State, Action>) -> Void) {
    connect(store.instruments)
    hooks = store.instruments.hooks
    reporter.start()
  }

  /// Makes a test store whose events a transducer handles.
  ///
  /// - `transducer`: the type whose `update` handles the events.
  /// - `env`: the dependencies of its effects.
  public convenience init<T: Transducer>(
    state: State, transducer: T.Type, env: T.Env, exhaustive: Bool = false, name: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) where T.State == State, T.Event == Action {
    self.init(
      Store(state: state, transducer: transducer, env: env, name: name), exhaustive: exhaustive,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    recorder.endsBeforeEffects = true
  }

  /// Makes a test store for a transducer whose effects have no dependencies.
  public convenience init<T: Transducer>(
    state: State, transducer: T.Type, exhaustive: Bool = false, name: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) where T.State == State, T.Event == Action, T.Env == Void {
    self.init(
      state: state, transducer: transducer, env: (), exhaustive: exhaustive, name: name,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Makes a test store with state alone, without actions and hooks.
  public convenience init(
    state: State, exhaustive: Bool = false, name: String? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) where Action == Never {
    self.init(
      Store(state: state, name: name), exhaustive: exhaustive,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// The current state.
  ///
  /// Write it to prepare a test. Hooks receive the change like any other change, and the test does
  /// not have to assert it. An exhaustive store must not have changed before without an assertion
  /// (T8).
  public var state: State {
    get { store.instruments.state }
    set {
      willArrange(\.self, isStored: true)
      reporter.arrange(\.self, newValue, isStored: true) {
        store.instruments.arranging.state = newValue
      }
    }
  }

  /// A property of the state.
  ///
  /// Write it to prepare a test, as with `state`. In an exhaustive store, that property must not
  /// have changed before without an assertion.
  public subscript<T>(dynamicMember keyPath: WritableKeyPath<State, T>) -> T {
    get { store.instruments.arranging[dynamicMember: keyPath] }
    set {
      let isStored = reporter.isStored(keyPath, newValue)
      willArrange(keyPath, isStored: isStored)
      reporter.arrange(keyPath, newValue, isStored: isStored) {
        store.instruments.arranging.set(keyPath, newValue)
      }
    }
  }

  /// A read-only property of the state.
  @_disfavoredOverload
  public subscript<T>(dynamicMember keyPath: KeyPath<State, T>) -> T {
    store.instruments.arranging[dynamicMember: keyPath]
  }

  /// A derived value of the state, which is no part of what an expectation says (V1).
  public subscript<Value>(_ derived: Derived<State, Value>) -> Value {
    store.instruments.arranging[derived]
  }
}

extension TestStore {
  /// The name that the initializer received.
  nonisolated public var storeName: String? { store.storeName }

  // MARK: - What has happened

  /// The state after each commit, in order.
  ///
  /// If the states take more than about 64 megabytes, the oldest are dropped.
  public var stateUpdates: [State] { recorder.stateUpdates }

  /// Every action that was dispatched, in order.
  public var triggeredActions: [Action] { recorder.triggeredActions }

  /// The name of a hook for each value that a hook has received, in order.
  public var firedHooks: [String] { recorder.firedHooks }

  /// Whether an action was dispatched.
  public func didTrigger(_ action: Action) -> Bool where Action: Equatable {
    triggeredActions.contains(action)
  }

  // MARK: - The store

  /// Starts an action and returns its handle.
  ///
  /// Does not wait and asserts nothing. What goes wrong because of the action is a failure at the
  /// caller's line.
  @discardableResult
  public func send(
    _ action: Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> ActionTask {
    willCall(from: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    return start(action)
  }

  /// Cancels the work that has the action's name.
  public func cancel(_ action: Action) where Action: CancellableAction { store.cancel(action) }

  /// Cancels all running and queued work of a name.
  public func cancel(id: any Hashable) { store.cancel(id: id) }

  /// Cancels all work.
  public func cancelAll() { store.cancelAll() }

  /// Whether work of a name is running or queued.
  public func isRunning(id: any Hashable) -> Bool { store.isRunning(id: id) }

  /// The number of actions and runs that are running or queued.
  public var runningCount: Int { store.runningCount }

  /// Ends all hooks.
  public func deactivateHooks() { store.deactivateHooks() }

  /// The input of a transducer's store, which accepts events on any thread.
  nonisolated public func input<T: Transducer>(of transducer: T.Type) -> Input<T.Event, T.Output>
  where T.State == State, T.Event == Action {
    store.input(of: transducer)
  }

  /// Reads and writes single properties, for user interfaces.
  public var binder: Binder<State, Action> { store.binder }

  /// The changes of the state.
  ///
  /// Key paths select parts of it.
  public var publisher: StatePublisher<State, State> { store.publisher }

  /// Everything that happens in the store, each event with its cause.
  public var events: Signal<StoreEvent<State, Action>> { store.events }
}
