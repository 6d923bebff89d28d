public import Signalbox

extension TestStore {
  /// Dispatches an action, waits until it has ended, and asserts its changes.
  ///
  ///     await store.dispatch(.load) { $0.messages = .loaded([hello]) }
  ///
  /// An action that sleeps on a test clock does not end until the test advances the clock. For such
  /// an action, call `send`, advance the clock, and then call `expect`.
  ///
  /// - Parameters:
  ///   - action: the action to dispatch.
  ///   - change: turns the state before the action into the expected state (T5).
  ///   - fileID: the source location of the call, together with the parameters below.
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
    check(
      change, from: before, to: state, "dispatch(\(SourceFormatter.text(of: action)))", at: place)
  }

  /// Calls `trigger`, waits until a hook has fired and everything that follows has settled, and
  /// asserts the changes (T2, T5).
  ///
  ///     await store.hook(ChatHook.messageReceived) { incoming.send(hello) } expecting: {
  ///       $0.messages = .loaded([hello])
  ///     }
  ///
  /// - Parameters:
  ///   - hook: the hook to wait for, a case of the interactor's `Hook`.
  ///   - timeout: how long to wait, in real time. A hook that can no longer fire is a failure at
  ///     once.
  ///   - trigger: makes the outside source send.
  ///   - change: turns the state before the trigger into the expected state.
  ///   - fileID: the source location of the call, together with the parameters below.
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

  /// Makes a test store, calls `trigger`, and waits until a hook has fired and everything that
  /// follows has settled (T2).
  ///
  ///     let store = await TestStore.testHook(
  ///       .messageReceived, trigger: incoming.send(message),
  ///       state: ChatState(), interactor: ChatInteractor(service: fake))
  ///     #expect(store.messages == [message])
  ///
  /// - Parameters:
  ///   - hook: the hook to wait for.
  ///   - trigger: makes the outside source send.
  ///   - state: the initial state.
  ///   - interactor: the interactor that declares the hook.
  ///   - timeout: how long to wait, in real time. A hook that can no longer fire is a failure at
  ///     once.
  ///   - fileID: the source location of the call, together with the parameters below.
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

  /// Waits until an action that code in the store dispatched has ended, and asserts its changes
  /// (T5).
  ///
  ///     store.send(.search("si"))
  ///     await store.receive(.found(["Siamese"])) { $0.cats = ["Siamese"] }
  ///
  /// Each such action is asserted once, in order. The actions before it are skipped, unless the
  /// store is exhaustive. There, they are a failure.
  ///
  /// - Parameters:
  ///   - action: the expected action. It may have been dispatched already.
  ///   - timeout: how long to wait for the action, in real time.
  ///   - change: turns the state before the action into the expected state.
  ///   - fileID: the source location of the call, together with the parameters below.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func receive(
    _ action: Action, timeout: Duration = .seconds(1),
    expecting change: ((inout State) -> Void)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async where Action: Equatable {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    store.instruments.drainPosts()
    let came = await recorder.wait(Timeout(timeout)) { [recorder, isExhaustive] in
      isExhaustive
        ? !recorder.received.isEmpty : recorder.received.contains { $0.action == action }
    }
    guard came, let index = recorder.received.firstIndex(where: { $0.action == action }),
      !isExhaustive || index == 0
    else {
      let others = recorder.received.map { SourceFormatter.text(of: $0.action) }
      return fail(
        "\(SourceFormatter.text(of: action)) was not received; "
          + (others.isEmpty ? "nothing was." : "these were: \(listed(others))."),
        instead: others.prefix(3).map { "await store.receive(\($0))" }, at: place)
    }
    let event = recorder.received[index].event
    recorder.received.removeFirst(index)
    // After this, it has ended or sleeps on a clock that the test has yet to advance.
    _ = await settled(Timeout(timeout))
    guard let received = recorder.received.first, received.event == event else { return }
    recorder.received.removeFirst()
    var after = received.after ?? (state, recorder.stateUpdates.count)
    // Its changes have already been asserted together with later ones.
    if isExhaustive, after.updates < assertedUpdates { after = (asserted, assertedUpdates) }
    let before = isExhaustive ? asserted : received.before
    check(
      change, from: before, to: after.state, after: after.updates,
      "receive(\(SourceFormatter.text(of: action)))", at: place)
  }

  /// Asserts what has changed since the last assertion (T5).
  ///
  /// - Parameters:
  ///   - change: turns the state at the last assertion into the expected current state.
  ///   - fileID: the source location of the call, together with the parameters below.
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

  /// Waits until all work has ended or sleeps on a test clock, and until posted values have arrived
  /// (T3).
  ///
  /// - Parameters:
  ///   - timeout: how long to wait, in real time. Work that is still busy then is a failure, which
  ///     names the work.
  ///   - fileID: the source location of the call, together with the parameters below.
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

  /// Asserts that no work is busy at the end of the test.
  ///
  /// In an exhaustive store, an unasserted change, an unasserted action and sleeping work are
  /// failures, too (T5).
  ///
  /// - Parameters:
  ///   - timeout: how long to wait, in real time, until the store has settled.
  ///   - fileID: the source location of the call, together with the parameters below.
  ///   - filePath: see `fileID`.
  ///   - line: see `fileID`.
  ///   - column: see `fileID`.
  public func finish(
    timeout: Duration = .seconds(1), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    guard await settle("finish()", timeout, at: place), isExhaustive else { return }
    let actions = recorder.received.map { SourceFormatter.text(of: $0.action) }
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
