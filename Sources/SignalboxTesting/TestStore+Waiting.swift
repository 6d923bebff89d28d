import Signalbox
import SignalboxInspection

extension TestStore {
  /// Whether an action ends; if not, a failure says why, unless the test's task was cancelled.
  func ended(
    _ task: ActionTask, of action: Action, _ event: Int?, _ timeout: Duration, at site: CallSite
  ) async -> Bool {
    let end = await Patience(timeout, in: scope).wait { task.isFinished }
    switch end {
    case .happened: return true
    case .cancelled:
      task.cancel()
      return false
    case .elapsed, .restless: break
    }
    let name = SourceFormatter.text(ofMessage: action)
    let waits =
      event.flatMap(tracker.inFlight.waits(of:)) ?? tracker.inFlight.all().flatMap(\.waits)
    let sleeps = waits.contains { if case .clock = $0 { true } else { false } }
    let calls = waits.contains { if case .endpoint = $0 { true } else { false } }
    let reason =
      if end == .restless {
        "\(restlessness)."
      } else if let idleness = scope.idleness {
        "\(idleness), so use send."
      } else if sleeps, !calls {
        "it sleeps on a test clock, which was not advanced."
      } else if calls {
        "it waits at an endpoint, which has not answered."
      } else {
        "waited \(timeout)."
      }
    let code = SourceFormatter.code(ofMessage: action).map {
      ["store.send(\($0))", "await clock.run()", "store.expect { _ in }"]
    }
    let isCertain = sleeps && !calls && !scope.isExplored
    fail("\(name) has not ended: \(reason)", instead: isCertain ? code ?? [] : [], at: site)
    return false
  }

  /// What may be wrong if the user has added hooks; `nil` if the store has some or cannot have any.
  var doubtAboutHooks: String? {
    guard hooks?.type == NoHook.self else { return nil }
    return """
      the store has no hooks. If the interactor has a `subscription`, it has another signature than \
      `subscription(for:store:)`.
      """
  }

  /// Whether the store has a hook; records a failure if it has not.
  func declares<H>(_ hook: H, at site: CallSite) -> Bool {
    let name = "\(hook)"
    guard let hooks else {
      fail("\(name): the store has no hooks.", at: site)
      return false
    }
    if hooks.type == H.self, hooks.names.contains(name) { return true }
    if let doubtAboutHooks {
      fail("\(name): \(doubtAboutHooks)", at: site)
      return false
    }
    fail(
      """
      \(name): \(H.self) is not the type of the store's hooks. They are \(listed(hooks.names)) of \
      \(hooks.type).
      """, at: site)
    return false
  }

  /// Triggers a hook, and waits until it has fired and everything that follows has settled.
  func fires(_ hook: String, _ timeout: Duration, _ trigger: () -> Void, at site: CallSite) async
    -> Bool
  {
    // What was posted before the trigger must not count. Waiting for more, such as the elements of a
    // sequence, would lose what the test sends after it has called this function in a task.
    store.instruments.drainPosts()
    let start = firedHooks.count
    func hasFired() -> Bool { firedHooks.dropFirst(start).contains(hook) }
    trigger()
    store.instruments.drainPosts()
    let end = await Patience(timeout, in: scope).wait {
      hasFired() || !store.instruments.canFire(hook)
    }
    if end == .cancelled { return false }
    guard hasFired() else {
      let earlier = firedHooks.prefix(start).count { $0 == hook }
      let others = firedHooks.reduce(into: [String]()) {
        if !$0.contains($1), $1 != hook { $0.append($1) }
      }
      let none = earlier == 0 ? "none did. " : "no other did. "
      let reason =
        store.instruments.canFire(hook)
        ? scope.advice ?? "Waited for \(timeout)."
        : "It cannot fire any more: it has no sink, or what it listened to has finished."
      fail(
        "\(hook): the hook "
          + (earlier == 0 ? "never fired; " : "has fired \(earlier) × before, but not since; ")
          + (others.isEmpty ? none : "these did: \(listed(others)). ") + reason,
        at: site)
      return false
    }
    await settle(hook, timeout, at: site)
    return true
  }
}
