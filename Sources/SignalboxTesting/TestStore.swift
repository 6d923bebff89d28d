public import Signalbox

/// A store that remembers what happened to it, for tests.
///
///     let store = TestStore(state: ChatState(), interactor: ChatInteractor(service: fake))
///     await store.dispatch(.load)
///     #expect(store.state == ChatState(messages: .loaded([hello])))
///
/// It is the real engine with a recorder (T1).
@MainActor @dynamicMemberLookup public final class TestStore<State: Equatable, Action> {
  /// Every state that a commit has made, once, in order.
  public private(set) var stateUpdates: [State] = []

  /// Every action that was dispatched, from wherever, once, in order.
  public private(set) var triggeredActions: [Action] = []

  /// The name of a hook for each value that it received, in order.
  public private(set) var firedHooks: [String] = []

  /// Whether the hook that `testHook` is about has fired.
  public private(set) var didTriggerHook = false

  private let store: Store<State, Action>
  private var recorder: Subscription?
  private var hookFired: [@MainActor (String) -> Void] = []

  private init(_ store: Store<State, Action>) {
    self.store = store
    recorder = store.events.sink { [weak self] in self?.record($0.kind) }
  }

  /// Makes a test store with actions and hooks.
  public convenience init<I: Interactor<State, Action>>(state: State, interactor: I) {
    self.init(Store(unconnected: state, actionable: interactor))
    store.connect(interactor)
  }

  /// Makes a test store with actions and without hooks.
  public convenience init<A: Actionable<State, Action>>(state: State, actionable: A) {
    self.init(Store(state: state, actionable: actionable))
  }

  /// Makes a test store with hooks.
  public convenience init<H: Hookable<State, Action>>(state: State, hookable: H) {
    self.init(Store(unconnected: state))
    store.connect(hookable)
  }

  /// The state of now.
  ///
  /// Writing it arranges a test; hooks see it as they see every change.
  public var state: State {
    get { store.state }
    set { store.arranging.state = newValue }
  }

  /// A property of the state.
  ///
  /// Writing it arranges a test.
  public subscript<T>(dynamicMember keyPath: WritableKeyPath<State, T>) -> T {
    get { store.arranging.state[keyPath: keyPath] }
    set { store.arranging.set(keyPath, newValue) }
  }

  /// Whether an action was dispatched, from wherever.
  public func didTrigger(_ action: Action) -> Bool where Action: Equatable {
    triggeredActions.contains(action)
  }

  /// Dispatches an action and waits until it has ended.
  public func dispatch(_ action: Action) async { await store.dispatch(action) }

  /// Makes a test store, does something that should make a hook fire, and waits until it has and
  /// what it caused has settled (T2).
  ///
  ///     let store = await TestStore.testHook(
  ///       .messageReceived, trigger: incoming.send(message),
  ///       state: ChatState(), interactor: ChatInteractor(service: fake))
  ///     #expect(store.messages == [message])
  ///
  /// It waits for the hook and never sleeps.
  ///
  /// - Parameters:
  ///   - hook: which one to wait for.
  ///   - trigger: what happens outside.
  ///   - state: the first state.
  ///   - interactor: whose hook it is.
  ///   - timeout: when to give up, and fail at the caller's line.
  ///   - fileID: the caller's place, as are the rest.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public static func testHook<I: Interactor<State, Action>>(
    _ hook: I.Hook, trigger: @autoclosure @MainActor () -> Void, state: State, interactor: I,
    timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> TestStore<State, Action> {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let name = "\(hook)"
    let store = TestStore(state: state, interactor: interactor)
    trigger()
    store.didTriggerHook = await Deadline.wait(timeout) { store.whenFired(name, $0) }
    guard store.didTriggerHook else {
      let fired = store.firedHooks.isEmpty ? "none" : store.firedHooks.joined(separator: ", ")
      place.fail("The hook \(name) did not fire within \(timeout). These did: \(fired).")
      return store
    }
    if !(await Deadline.wait(timeout, until: store.store.whenIdle)) {
      place.fail(
        "The hook \(name) fired, and \(store.store.runningCount) pieces of work are still running \(timeout) later."
      )
    }
    return store
  }

  private func whenFired(_ name: String, _ body: @escaping @MainActor () -> Void) {
    if firedHooks.contains(name) { return body() }
    var isDone = false
    hookFired.append {
      guard $0 == name, !isDone else { return }
      isDone = true
      body()
    }
  }

  private func record(_ kind: StoreEvent<State, Action>.Kind) {
    switch kind {
    case .stateChanged(_, let state): stateUpdates.append(state)
    case .dispatched(let action): triggeredActions.append(action)
    case .hookFired(let name, _):
      firedHooks.append(name)
      for body in hookFired { body(name) }
    default: break
    }
  }
}
