public import Signalbox
import SignalboxInspection

extension TestStore {
  /// Dispatches an action, waits until it has ended, and asserts its changes.
  ///
  ///     await store.dispatch(.load) { $0.messages = .loaded([hello]) }
  ///
  /// An action that sleeps on a test clock, or waits at a `TestEndpoint`, does not end until the test
  /// advances the clock or answers. For such an action, call `send`, advance or answer, and then call
  /// `expect`. If the task of the test is cancelled, the action is cancelled, and nothing is
  /// asserted.
  ///
  /// - `action`: the action to dispatch.
  /// - `timeout`: how long to wait, in real time, while everything waits for the outside.
  /// - `change`: turns the state before the action into the state when it has ended, all of it (T5).
  /// - `part`: asserts only what it changes, in place of `expecting`.
  public func dispatch(
    _ action: Action, timeout: Duration = .seconds(1),
    expecting change: ((inout State) -> Void)? = nil,
    including part: ((inout State) -> Void)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await dispatch(
      action, timeout, change, including: part,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// - Parameter start: the state before and its number of updates; `nil` for the current ones.
  func dispatch(
    _ action: Action, _ timeout: Duration, _ change: StateChange?, including part: StateChange?,
    from start: (state: State, updates: Int)? = nil, at site: CallSite
  ) async {
    begin(at: site)
    // What was posted before does not count as a change of the action.
    store.instruments.drainPosts()
    let before = start ?? (state, recorder.updates)
    let task = self.start(action, isDispatch: true)
    let event = recorder.ledger.lastSent
    defer { recorder.forget(event) }
    guard await ended(task, of: action, event, timeout, at: site) else { return }
    let end = event.flatMap(recorder.ending).map { ($0.state, $0.updates) }
    check(
      change, including: part, between: before, and: end ?? (state, recorder.updates),
      "dispatch(\(SourceFormatter.text(ofMessage: action)))", at: site)
  }

  /// Calls `trigger`, waits until a hook has fired and everything that follows has settled, and
  /// asserts the changes (T2, T5).
  ///
  ///     await store.hook(ChatHook.messageReceived) { incoming.send(hello) } expecting: {
  ///       $0.messages = .loaded([hello])
  ///     }
  ///
  /// - `hook`: the hook to wait for, a case of the interactor's `Hook`.
  /// - `timeout`: how long to wait, in real time. A hook that can no longer fire is a failure at
  ///   once.
  /// - `trigger`: makes the outside source send. The closures are those of `dispatch`, from the state
  ///   before the trigger.
  public func hook<H>(
    _ hook: H, timeout: Duration = .seconds(1), trigger: () -> Void,
    expecting change: ((inout State) -> Void)? = nil,
    including part: ((inout State) -> Void)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    begin(at: site)
    guard declares(hook, at: site) else { return }
    store.instruments.drainPosts()
    let before = (state, recorder.updates)
    guard await fires("\(hook)", timeout, trigger, at: site) else { return }
    check(
      change, including: part, between: before, and: (state, recorder.updates), "\(hook)", at: site
    )
  }

  /// Makes a test store, calls `trigger`, and waits until a hook has fired and everything that
  /// follows has settled (T2).
  ///
  ///     let store = await TestStore.testHook(
  ///       .messageReceived, trigger: incoming.send(message),
  ///       state: ChatState(), interactor: ChatInteractor(service: fake))
  ///     #expect(store.messages == [message])
  ///
  /// The timeout is that of `hook`.
  public static func testHook<I: Interactor<State, Action>>(
    _ hook: I.Hook, trigger: @autoclosure @MainActor () -> Void, state: State, interactor: I,
    timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> TestStore<State, Action> {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let store = TestStore(
      state: state, interactor: interactor, fileID: fileID, filePath: filePath, line: line,
      column: column)
    store.didTriggerHook = await store.fires("\(hook)", timeout, trigger, at: site)
    return store
  }

  /// Does what the other `testHook` does, with a call of `yield` as the trigger.
  ///
  ///     let store = await TestStore.testHook(
  ///       .messageReceived, trigger: incoming.yield(message),
  ///       state: ChatState(), interactor: ChatInteractor(service: fake))
  public static func testHook<I: Interactor<State, Action>, Element>(
    _ hook: I.Hook,
    trigger: @autoclosure @MainActor () -> AsyncStream<Element>.Continuation.YieldResult,
    state: State, interactor: I, timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> TestStore<State, Action> {
    await testHook(
      hook, trigger: { _ = trigger() }(), state: state, interactor: interactor, timeout: timeout,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Asserts what has changed since the last assertion, all of it (T5).
  ///
  /// The closure turns the state at the last assertion into the current state.
  public func expect(
    _ change: (inout State) -> Void, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    begin(at: site)
    withoutActuallyEscaping(change) {
      check($0, from: reporter.stateOfLastCall, to: state, "expect", at: site)
    }
  }

  /// Asserts some of what has changed since the last assertion: what the closure changes (T5).
  @_disfavoredOverload
  public func expect(
    including change: (inout State) -> Void, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    begin(at: site)
    withoutActuallyEscaping(change) {
      check(nil, including: $0, from: reporter.stateOfLastCall, to: state, "expect", at: site)
    }
  }

  /// Waits until all work has ended or waits for something that the test controls, and until posted
  /// values and the elements that streams of hooks have received have arrived (T3).
  ///
  /// - `includesCancelled`: whether to wait also for the bodies of cancelled work, whose writes are
  ///   dropped.
  /// - `timeout`: how long to wait, in real time, while everything waits for the outside. Work that
  ///   has not ended then is a failure, which names the work.
  public func settle(
    includingCancelled includesCancelled: Bool = false, timeout: Duration = .seconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    willCall(from: site)
    await settle("settle()", timeout, includingBodies: includesCancelled, at: site)
  }

  /// Asserts that no work is busy at the end of the test.
  ///
  /// In an exhaustive store, an unasserted change or action, work that has not returned, a change that
  /// is pending (O7), a value that a hook still holds back, and unexpected attempts of cancelled work
  /// are failures, too (T5, T8).
  ///
  /// - `timeout`: how long to wait, in real time, until the store has settled.
  public func finish(
    timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    begin(at: site)
    guard await settle("finish()", timeout, includingBodies: isExhaustive, at: site) else {
      return
    }
    reporter.reportMishaps()
    guard isExhaustive else { return }
    let unasserted = reporter.unasserted
    if !unasserted.isEmpty {
      fail(
        "Received and not asserted: \(listed(unasserted)).",
        instead: suggestions(toReceive: recorder.received), at: site)
    }
    check({ _ in }, from: reporter.asserted, to: state, "finish()", at: site)
    if !recorder.dropped.isEmpty {
      fail(
        "finish(): cancelled work has tried something, which was dropped.",
        instead: ["store.expectDropped(\(recorder.dropped.count))"], at: site)
    }
    let running = reporter.unfinishedWork
    if !running.isEmpty {
      fail(
        "finish(): still running at the end: \(listed(running)).",
        instead: reporter.suggestionsToFinish, at: site)
    }
    let pending = store.instruments.pendingChanges
    if pending > 0 {
      fail(
        "finish(): \(pending == 1 ? "a change is" : "\(pending) changes are") still pending.",
        at: site)
    }
    reporter.finishedAt = recorder.lastEvent
  }
}
