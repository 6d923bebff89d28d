import Signalbox
import SignalboxInspection

extension TestStore {
  /// Waits until an action that the test did not send has ended, and asserts its changes (T5).
  ///
  ///     store.send(.search("si"))
  ///     await store.receive(.found(["Siamese"])) { $0.cats = ["Siamese"] }
  ///
  /// The action was dispatched by code in the store, or by another thread through an input. Each
  /// such action is asserted once, in order. The actions before it are skipped, unless the store is
  /// exhaustive. There, they are a failure. It is a failure, too, if the action was cancelled, threw
  /// an error that was not handled, or does not end (T8).
  ///
  /// - `action`: the expected action. It may have been dispatched already.
  /// - `timeout`: how long to wait, in real time, while everything waits for the outside.
  /// - `change`: turns the state before the action into the state when it has ended, all of it.
  /// - `part`: asserts only what it changes, in place of `expecting`.
  public func receive(
    _ action: Action, timeout: Duration = .seconds(1),
    expecting change: ((inout State) -> Void)? = nil,
    including part: ((inout State) -> Void)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async where Action: Equatable {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(SourceFormatter.text(ofMessage: action), timeout, change, part, at: site) {
      $0 == action
    }
  }

  /// Waits until an action that matches a pattern has ended, and asserts its changes (T5).
  ///
  ///     await store.receive(where: { if case .failed = $0 { true } else { false } })
  ///
  /// For actions that are not `Equatable`, or of which only a part matters. The rest is as for
  /// `receive(_:)`.
  public func receive(
    where isExpected: (Action) -> Bool, timeout: Duration = .seconds(1),
    expecting change: ((inout State) -> Void)? = nil,
    including part: ((inout State) -> Void)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive("An action of this pattern", timeout, change, part, at: site, isExpected)
  }

  /// Waits until an action that the test did not send was cancelled, superseded or ignored.
  ///
  ///     typed.send("a")
  ///     typed.send("ab")                             // supersedes the search for "a"
  ///     await store.receiveCancelled(.search("a"))
  ///     await store.receive(.search("ab")) { $0.cats = ["Abyssinian"] }
  ///
  /// It is a failure if the action ended by itself, or does not end. The order is that of
  /// `receive(_:)`. The state after has what the action had written and what `onCancel` wrote.
  public func receiveCancelled(
    _ action: Action, timeout: Duration = .seconds(1),
    expecting change: ((inout State) -> Void)? = nil,
    including part: ((inout State) -> Void)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async where Action: Equatable {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(
      SourceFormatter.text(ofMessage: action), cancelled: true, timeout, change, part, at: site
    ) { $0 == action }
  }

  private func receive(
    _ name: String, cancelled: Bool = false, _ timeout: Duration,
    _ change: StateChange?, _ part: StateChange?, at site: CallSite,
    _ isExpected: (Action) -> Bool
  ) async {
    scope.willCall(from: site)
    store.instruments.drainPosts()
    let earlier = recorder.passed.last { isExpected($0.action) }
    // What was skipped does not come again if nothing goes on.
    let isOver = earlier?.skippedBy != nil && !mayGoOn
    let patience = Patience(isOver ? .zero : timeout, in: scope)
    let came = await patience.wait {
      isExhaustive
        ? !recorder.received.isEmpty : recorder.received.contains { isExpected($0.action) }
    }
    if came == .cancelled { return }
    guard let index = recorder.received.firstIndex(where: { isExpected($0.action) }),
      !isExhaustive || index == 0
    else {
      let others = recorder.received
      let texts = others.map { SourceFormatter.text(ofMessage: $0.action) }
      let past = earlier.map { earlier in
        earlier.skippedBy.map { "skipped by receive(\(SourceFormatter.text(ofMessage: $0)))" }
          ?? "received before"
      }
      let index = recorder.received.firstIndex { isExpected($0.action) }
      if let index {
        return fail(
          "\(name) was received, but first \(listed(Array(texts[..<index]))) must be asserted.",
          instead: suggestions(toReceive: others), at: site)
      }
      let isSent = past == nil && triggeredActions.contains(where: isExpected)
      let doubt =
        isSent ? " The test itself sent it." : doubtAboutHooks.map { " And \($0)" } ?? ""
      return fail(
        "\(name) was " + (past.map { "\($0), and was not received since; " } ?? "not received; ")
          + (others.isEmpty ? "nothing was.\(doubt)" : "these were: \(listed(texts))."),
        instead: suggestions(toReceive: others), at: site)
    }
    let received = recorder.received[index]
    let end = await Patience(timeout, in: scope).wait { recorder.ending(of: received.event) != nil }
    let ending = recorder.ending(of: received.event)
    recorder.removeReceived(through: received)
    if end == .cancelled { return }
    let call = cancelled ? "receiveCancelled" : "receive"
    check(
      received, ending, cancelled: cancelled, change, part,
      "\(call)(\(SourceFormatter.text(ofMessage: received.action)))", at: site)
  }

  private func check(
    _ received: Recorder<State, Action>.Received, _ ending: Recorder<State, Action>.Ending?,
    cancelled: Bool, _ change: StateChange?, _ part: StateChange?, _ subject: String,
    at site: CallSite
  ) {
    guard let ending else { return fail("\(subject): the action has not ended.", at: site) }
    switch ending.event.kind {
    case .cancelled where cancelled: break
    case .finished where cancelled, .failed where cancelled:
      return fail("\(subject): the action was not cancelled. It ended by itself.", at: site)
    case .cancelled:
      let reason = reporter.failure("").lines(of: ending.event).joined()
      return fail("\(subject): the action did not end by itself: \(reason).", at: site)
    case .failed(_, let error):
      // An error that was handled belongs to what the action does.
      guard let index = recorder.mishaps.firstIndex(where: { $0.work == received.event }) else {
        break
      }
      recorder.mishaps.remove(at: index)
      return fail(
        "\(subject): the action threw \(SourceFormatter.text(of: error)), which is not handled.",
        at: site)
    default: break
    }
    check(
      change, including: part, between: received.before, and: (ending.state, ending.updates),
      subject, at: site)
  }

  /// Whether work is in flight, or a hook may still fire.
  private var mayGoOn: Bool {
    !tracker.inFlight.all(includingBodies: true).isEmpty || !tracker.held.all().isEmpty
      || hooks?.names.contains(where: store.instruments.canFire) ?? false
  }

  /// Calls of `receive` that compile.
  func suggestions(toReceive all: [Recorder<State, Action>.Received]) -> [String] {
    guard Action.self is any Equatable.Type else { return [] }
    return all.prefix(3).compactMap { received in
      var call = "receive"
      if case .cancelled? = recorder.ending(of: received.event)?.event.kind {
        call = "receiveCancelled"
      }
      return SourceFormatter.code(ofMessage: received.action).map { "await store.\(call)(\($0))" }
    }
  }
}
