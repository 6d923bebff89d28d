public import Signalbox

extension TestStore {
  /// Dispatches an action, waits until it has ended, and asserts what it changed.
  ///
  ///     await store.dispatch(.load) { $0.messages = .loaded([hello]) }
  ///
  /// An action that sleeps on a test clock does not end before somebody moves that clock: `send`
  /// it, and `advance`.
  ///
  /// - Parameters:
  ///   - action: what to dispatch.
  ///   - change: makes of the state before what must be there afterwards (T5).
  ///   - fileID: the caller's place, as are the rest.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func dispatch(
    _ action: Action, expecting change: ((inout State) -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let before = isExhaustive ? asserted : state
    let task = store.send(action)
    await ended(task, of: action, at: place)
    check(change, from: before, to: state, "dispatch(\(describe(action)))", at: place)
  }

  /// Makes something happen outside, waits until a hook has fired and what it caused has settled,
  /// and asserts what that changed (T2, T5).
  ///
  ///     await store.hook(ChatHook.messageReceived) { incoming.send(hello) } expecting: {
  ///       $0.messages = .loaded([hello])
  ///     }
  ///
  /// - Parameters:
  ///   - hook: which one to wait for; a case of the interactor's `Hook`.
  ///   - timeout: when to give up on what happens elsewhere. A hook that cannot fire any more
  ///     fails at once.
  ///   - trigger: what happens outside.
  ///   - change: makes of the state before what must be there afterwards.
  ///   - fileID: the caller's place, as are the rest.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func hook<H: Hashable>(
    _ hook: H, timeout: Duration = .seconds(1), trigger: () -> Void,
    expecting change: ((inout State) -> Void)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let before = isExhaustive ? asserted : state
    guard await fires("\(hook)", timeout, trigger, at: place) else { return }
    check(change, from: before, to: state, "\(hook)", at: place)
  }

  /// Makes a test store, does something that should make a hook fire, and waits until it has and
  /// what it caused has settled (T2).
  ///
  ///     let store = await TestStore.testHook(
  ///       .messageReceived, trigger: incoming.send(message),
  ///       state: ChatState(), interactor: ChatInteractor(service: fake))
  ///     #expect(store.messages == [message])
  ///
  /// - Parameters:
  ///   - hook: which one to wait for.
  ///   - trigger: what happens outside.
  ///   - state: the first state.
  ///   - interactor: whose hook it is.
  ///   - timeout: when to give up on what happens elsewhere. A hook that cannot fire any more
  ///     fails at once.
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
    let store = TestStore(state: state, interactor: interactor)
    store.didTriggerHook = await store.fires("\(hook)", timeout, trigger, at: place)
    return store
  }

  /// Waits for an action that something else dispatched, until it has ended, and asserts what
  /// changed meanwhile (T5).
  ///
  ///     store.send(.search("si"))
  ///     await store.receive(.found(["Siamese"])) { $0.cats = ["Siamese"] }
  ///
  /// Each such action is asserted once, in order; those before it are passed over unless the store
  /// is exhaustive.
  ///
  /// - Parameters:
  ///   - action: which one; it may have come already.
  ///   - timeout: how long to wait for it.
  ///   - change: makes of the state before the action what must be there after it.
  ///   - fileID: the caller's place, as are the rest.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func receive(
    _ action: Action, timeout: Duration = .seconds(1),
    expecting change: ((inout State) -> Void)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async where Action: Equatable {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    store.drainPosts()
    let came = await recorder.wait(Timeout(timeout)) { [recorder, isExhaustive] in
      isExhaustive
        ? !recorder.received.isEmpty : recorder.received.contains { $0.action == action }
    }
    guard came, let index = recorder.received.firstIndex(where: { $0.action == action }),
      !isExhaustive || index == 0
    else {
      let others = recorder.received.map { describe($0.action) }
      return fail(
        "\(describe(action)) was not received; "
          + (others.isEmpty ? "nothing was." : "these were: \(listed(others))."),
        instead: others.prefix(3).map { "await store.receive(\($0))" }, at: place)
    }
    let event = recorder.received[index].event
    recorder.received.removeFirst(index)
    // It has ended, or has gone to sleep on a clock that the test is yet to move.
    _ = await settled(Timeout(timeout))
    guard let received = recorder.received.first, received.event == event else { return }
    recorder.received.removeFirst()
    var after = received.after ?? (state, recorder.stateUpdates.count)
    // What it changed has been asserted together with what came later.
    if isExhaustive, after.updates < assertedUpdates { after = (asserted, assertedUpdates) }
    let before = isExhaustive ? asserted : received.before
    check(
      change, from: before, to: after.state, after: after.updates,
      "receive(\(describe(action)))", at: place)
  }

  /// Asserts what has changed since the last assertion (T5).
  ///
  /// - Parameters:
  ///   - change: makes of the state then what must be there now.
  ///   - fileID: the caller's place, as are the rest.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func expect(
    _ change: (inout State) -> Void, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    withoutActuallyEscaping(change) {
      check($0, from: asserted, to: state, "expect", at: place)
    }
  }

  /// Waits until all work has ended or sleeps on a test clock, and what was posted has arrived
  /// (T3).
  ///
  /// - Parameters:
  ///   - timeout: how long to wait for what happens elsewhere; what is busy then is a failure, by
  ///     name.
  ///   - fileID: the caller's place, as are the rest.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func settle(
    timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await settle("settle()", timeout, at: place)
  }

  /// Asserts that the test is at its end: nothing is busy, and in an exhaustive store nothing is
  /// left at all, neither an unasserted change nor an unasserted action nor work that sleeps (T5).
  ///
  /// - Parameters:
  ///   - timeout: how long to wait for what is on its way.
  ///   - fileID: the caller's place, as are the rest.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func finish(
    timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    guard await settle("finish()", timeout, at: place), isExhaustive else { return }
    let actions = recorder.received.map { describe($0.action) }
    if !actions.isEmpty {
      fail(
        "Received and not asserted: \(listed(actions)).",
        instead: actions.prefix(3).map { "await store.receive(\($0))" }, at: place)
    }
    check(nil, from: asserted, to: state, "finish()", at: place)
    let asleep = tracker.inFlight.names.map(\.name)
    if !asleep.isEmpty {
      fail(
        "finish(): still running at the end: \(listed(asleep)).",
        instead: ["await clock.run()  // or store.cancelAll()"], at: place)
    }
  }
}
