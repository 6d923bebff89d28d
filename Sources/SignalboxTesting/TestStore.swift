public import Signalbox

/// A store that remembers what happened to it, for tests.
///
///     let store = TestStore(state: ChatState(), interactor: ChatInteractor(service: fake))
///     await store.dispatch(.load) { $0.messages = .loaded([hello]) }
///     await store.hook(ChatHook.messageReceived) { incoming.send(hello) } expecting: {
///       $0.messages = .loaded([hello, hello])
///     }
///
/// It is the real engine with a recorder (T1). Each assertion demands what its closure changes and
/// leaves the rest free; in a store made with `exhaustive: true` the rest is nothing (T5). Nothing
/// here sleeps: what is waited for is an event, and a timeout is how long a test that is wrong
/// takes. Failures are recorded at the caller's line, in Swift Testing and in XCTest alike (T4).
@MainActor @dynamicMemberLookup public final class TestStore<State: Equatable, Action> {
  nonisolated let store: Store<State, Action>
  let tracker = WorkTracker()
  let recorder: Recorder<State, Action>
  let isExhaustive: Bool
  /// The state when something was last asserted.
  var asserted: State
  /// How many updates had led to it.
  var assertedUpdates = 0
  private var recording: Subscription?
  private let scope = TestScope.current

  /// Whether the hook that `testHook` is about has fired.
  public internal(set) var didTriggerHook = false

  private init(_ store: Store<State, Action>, exhaustive: Bool) {
    self.store = store
    isExhaustive = exhaustive
    asserted = store.state
    recorder = Recorder(store.state)
    recording = store.record(by: recorder)
    store.follow(by: tracker)
    tracker.hookIsOver = { [weak recorder] in recorder?.ask() }
    scope.add(self)
  }

  /// Makes a test store with actions and hooks.
  ///
  /// - Parameters:
  ///   - state: the first state.
  ///   - interactor: is kept as long as the store.
  ///   - middleware: stands around the actions, the first one outermost.
  ///   - exhaustive: whether whatever is not asserted is a failure (T5).
  ///   - name: what the store is called in failures, for a test with several stores.
  public convenience init<I: Interactor<State, Action>>(
    state: State, interactor: I, middleware: any Middleware<State, Action>...,
    exhaustive: Bool = false, name: String? = nil
  ) {
    self.init(
      Store(unconnected: state, actionable: interactor, middleware: middleware, name: name),
      exhaustive: exhaustive)
    store.connect(interactor)
    asserted = store.state
  }

  /// Makes a test store with actions and without hooks.
  public convenience init<A: Actionable<State, Action>>(
    state: State, actionable: A, middleware: any Middleware<State, Action>...,
    exhaustive: Bool = false, name: String? = nil
  ) {
    self.init(
      Store(unconnected: state, actionable: actionable, middleware: middleware, name: name),
      exhaustive: exhaustive)
  }

  /// Makes a test store with hooks.
  public convenience init<H: Hookable<State, Action>>(
    state: State, hookable: H, exhaustive: Bool = false, name: String? = nil
  ) {
    self.init(Store(unconnected: state, name: name), exhaustive: exhaustive)
    store.connect(hookable)
    asserted = store.state
  }

  /// Makes a test store whose events a transducer deals with.
  ///
  /// - Parameters:
  ///   - state: the first state.
  ///   - transducer: the type whose `update` decides.
  ///   - env: what its effects need.
  ///   - exhaustive: whether whatever is not asserted is a failure (T5).
  ///   - name: what the store is called in failures, for a test with several stores.
  public convenience init<T: Transducer>(
    state: State, transducer: T.Type, env: T.Env, exhaustive: Bool = false, name: String? = nil
  ) where T.State == State, T.Event == Action {
    self.init(
      Store(state: state, transducer: transducer, env: env, name: name), exhaustive: exhaustive)
  }

  /// Makes a test store for a transducer whose effects need nothing of the outside.
  public convenience init<T: Transducer>(
    state: State, transducer: T.Type, exhaustive: Bool = false, name: String? = nil
  ) where T.State == State, T.Event == Action, T.Env == Void {
    self.init(state: state, transducer: transducer, env: (), exhaustive: exhaustive, name: name)
  }

  /// Makes a test store of state alone.
  public convenience init(state: State, exhaustive: Bool = false, name: String? = nil)
  where Action == Never {
    self.init(Store(unconnected: state, name: name), exhaustive: exhaustive)
  }

  /// The state of now.
  ///
  /// Writing it arranges a test: hooks see it as they see every change, and nothing has to assert
  /// it.
  public var state: State {
    get { store.state }
    set {
      asserted = newValue
      store.arranging.state = newValue
    }
  }

  /// A property of the state.
  ///
  /// Writing it arranges a test.
  public subscript<T>(dynamicMember keyPath: WritableKeyPath<State, T>) -> T {
    get { store.arranging.state[keyPath: keyPath] }
    set {
      asserted[keyPath: keyPath] = newValue
      store.arranging.set(keyPath, newValue)
    }
  }

  /// A property of the state that only its other properties can change.
  @_disfavoredOverload
  public subscript<T>(dynamicMember keyPath: KeyPath<State, T>) -> T { state[keyPath: keyPath] }
}

extension TestStore {
  /// The name that the store was made with.
  nonisolated public var storeName: String? { store.storeName }

  // MARK: - What has happened

  /// Every state that a commit has made, once, in order.
  public var stateUpdates: [State] { recorder.stateUpdates }

  /// Every action that was dispatched, from wherever, once, in order.
  public var triggeredActions: [Action] { recorder.triggeredActions }

  /// The name of a hook for each value that it received, in order.
  public var firedHooks: [String] { recorder.firedHooks }

  /// Whether an action was dispatched, from wherever.
  public func didTrigger(_ action: Action) -> Bool where Action: Equatable {
    triggeredActions.contains(action)
  }

  // MARK: - The store

  /// Starts an action and returns a handle on it, without waiting and without asserting anything.
  @discardableResult
  public func send(_ action: Action) -> ActionTask { store.send(action) }

  /// Cancels the work that has the action's name.
  public func cancel(_ action: Action) where Action: CancellableAction { store.cancel(action) }

  /// Cancels all work of a name, running and queued.
  public func cancel(id: any Hashable & Sendable) { store.cancel(id: id) }

  /// Cancels all work.
  public func cancelAll() { store.cancelAll() }

  /// Whether work of a name is running or queued.
  public func isRunning(id: any Hashable & Sendable) -> Bool { store.isRunning(id: id) }

  /// How much work is running or queued.
  public var runningCount: Int { store.runningCount }

  /// Ends all hooks.
  public func deactivateHooks() { store.deactivateHooks() }

  /// The way into the store of a transducer, from any thread.
  nonisolated public func input<T: Transducer>(of transducer: T.Type) -> Input<T.Event, T.Output>
  where T.State == State, T.Event == Action {
    store.input(of: transducer)
  }

  /// Reads and writes single properties, as a user interface does.
  public var binder: Binder<State, Action> { store.binder }

  /// The changes of the state; key paths lead to its parts.
  public var publisher: StatePublisher<State, State> { store.publisher }

  /// Everything that happens in the store, each with its cause.
  public var events: Signal<StoreEvent<State, Action>> { store.events }
}

extension TestStore: SettlingStore {
  var isQuiet: Bool { tracker.inFlight.isQuiet }

  var busyNames: [String] {
    let busy = tracker.inFlight.names.filter { $0.state == .busy }.map(\.name)
    return busy.isEmpty ? ["posts that lead to posts for ever"] : busy
  }

  var progress: Int { recorder.events.count }

  /// Delivers what was posted, and what is posted on account of that.
  ///
  /// - Returns: `false` if that goes on for ever.
  private func drainPosts() -> Bool {
    for _ in 0..<10_000 {
      let before = progress
      store.drainPosts()
      if progress == before { return true }
    }
    return false
  }

  func settled(_ timeout: Timeout) async -> Bool {
    while true {
      guard drainPosts() else { return false }
      if isQuiet { return true }
      guard await timeout.wait(until: tracker.inFlight.whenQuiet) else { return false }
    }
  }
}
