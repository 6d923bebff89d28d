import Signalbox

extension TestStore {
  /// Compares the change that an assertion expects with the actual change.
  ///
  /// - Parameters:
  ///   - change: makes the expected changes. `nil` expects none, which only an exhaustive store
  ///     checks.
  ///   - before: the state before the change.
  ///   - actual: the state after the change.
  ///   - updates: the number of state updates until `actual`. `nil` means all updates.
  ///   - subject: the name of the assertion in the failure.
  ///   - place: the source location of the failure.
  func check(
    _ change: ((inout State) -> Void)?, from before: State, to actual: State,
    after updates: Int? = nil, _ subject: @autoclosure () -> String,
    at place: CallSite
  ) {
    asserted = actual
    assertedUpdates = updates ?? recorder.stateUpdates.count
    var wanted = before
    change?(&wanted)
    let found =
      isExhaustive
      ? SourceChanges(from: wanted, to: actual)
      : SourceChanges.missing(from: before, to: wanted, in: actual)
    guard !found.all.isEmpty else { return }
    let headline =
      if before == wanted {
        "\(subject()): changed although nothing was expected."
      } else if before == actual {
        "\(subject()): nothing changed."
      } else {
        "\(subject()): the state is not as expected."
      }
    let lines = found.all.map {
      before == wanted ? $0.line(naming: $0.name) : Self.expectation($0)
    }
    fail(
      headline, lines, more: found.more,
      instead: SourceChanges(from: before, to: actual).all.compactMap(\.statement),
      at: place)
  }

  /// The line about a change from the expected to the actual state.
  private static func expectation(_ change: PathChange) -> String {
    switch change.kind {
    case .replaced(let expected, let actual):
      "\(change.name): expected \(expected), is \(actual)"
    case .removed(let expected): "\(change.name): expected \(expected), is missing"
    case .inserted(let actual): "\(change.name): unexpected \(actual)"
    case .other(let text): "\(change.name): not as expected: \(text)"
    }
  }

  /// Waits until an action has ended, for as long as it is busy.
  ///
  /// An action that only sleeps is a failure after one second.
  func ended(_ task: ActionTask, of action: Action, at place: CallSite) async {
    func whenEnded(_ body: @escaping @Sendable () -> Void) {
      Task.immediate {
        await task.value
        body()
      }
    }
    while !task.isFinished {
      await first {
        whenEnded($0)
        tracker.inFlight.whenQuiet($0)
      }
      if task.isFinished { return }
      if await Timeout(.seconds(1)).wait(until: whenEnded) { return }
      if isQuiet {
        let name = SourceFormatter.text(of: action)
        return fail(
          "\(name) has not ended: it sleeps on a test clock, which was not advanced.",
          instead: ["store.send(\(name))", "await clock.advance(by: …)", "store.expect { … }"],
          at: place)
      }
    }
  }

  /// Triggers a hook, and waits until it has fired and everything that follows has settled.
  func fires(_ hook: String, _ timeout: Duration, _ trigger: () -> Void, at place: CallSite) async
    -> Bool
  {
    let count = firedHooks.count { $0 == hook }
    func hasFired() -> Bool { firedHooks.count { $0 == hook } > count }
    trigger()
    store.instruments.drainPosts()
    _ = await recorder.wait(Timeout(timeout)) { [store] in
      hasFired() || !store.instruments.canFire(hook)
    }
    guard hasFired() else {
      let others = firedHooks.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      let reason =
        store.instruments.canFire(hook)
        ? "Waited for \(timeout)."
        : "It cannot fire any more: it has no sink, or what it listened to has finished."
      fail(
        "\(hook): the hook never fired; "
          + (others.isEmpty ? "none did. " : "these did: \(listed(others)). ")
          + reason,
        at: place)
      return false
    }
    await settle(hook, timeout, at: place)
    return true
  }

  @discardableResult
  func settle(_ subject: String, _ timeout: Duration, at place: CallSite) async -> Bool {
    if await settled(Timeout(timeout)) { return true }
    fail(
      "\(subject): still running at the end: \(listed(busyNames)). Waited for \(timeout).",
      at: place)
    return false
  }

  /// Prefixes a text with the name of this store, if it has one.
  func named(_ text: String) -> String { storeName.map { "\($0): \(text)" } ?? text }

  func fail(
    _ headline: String, _ differences: [String] = [], more: Int = 0, instead: [String] = [],
    at place: CallSite
  ) {
    let failure = Failure(
      headline: named(headline), differences: differences, moreDifferences: more,
      events: recorder.events, inFlight: tracker.inFlight.names, instead: instead)
    place.fail(failure.text)
  }
}
