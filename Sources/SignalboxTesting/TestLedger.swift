import Signalbox
import SignalboxInspection

/// What a test store shares with those of its children: what is not asserted yet, and call sites.
@MainActor final class TestLedger {
  /// An error that was not handled, or a loop that was stopped.
  struct Mishap {
    let text: String
    let error: (any Error)?
    /// The work that threw the error.
    let work: Int?
    let site: CallSite
    /// Where it happened; empty for the store itself.
    let path: String
  }

  /// An action of a child that the test has neither dispatched nor asserted.
  struct ChildAction {
    let path: String
    let action: Any
    /// The last event before its work began, which may have been queued until then.
    var lastBefore = Int.max

    @MainActor var text: String { "\(path): \(SourceFormatter.text(ofMessage: action))" }
  }

  struct Origin {
    let cause: Int?
    /// The call that led to an event without a cause.
    let site: CallSite?
    /// The work in which it was sent.
    let sender: Int?
  }

  /// The call of the test that causes what has no cause in the store.
  var site: CallSite
  /// Whether the test itself dispatches what is dispatched now.
  var isSending = false
  /// Whether it waits for the end of what it dispatches.
  var isDispatching = false
  /// The events of the actions that it waits for.
  var dispatched: Set<Int> = []
  /// The event of the action that the test has dispatched last.
  var lastSent: Int?
  var mishaps: [Mishap] = []
  /// The attempts of cancelled work that were dropped and not asserted.
  var dropped: [(event: Int, path: String)] = []
  /// By the events of the actions.
  var received: [Int: ChildAction] = [:]
  private var origins: [Int: Origin] = [:]

  init(from site: CallSite) { self.site = site }

  /// Whether a path leads to a child or into it.
  static func contains(_ path: String, in child: String) -> Bool {
    child.isEmpty || path == child || path.hasPrefix(child + ".")
  }

  // MARK: - Causes

  func add(_ event: Int, cause: Int?, sender: Int?) {
    origins[event] = Origin(cause: cause, site: cause == nil ? site : nil, sender: sender)
  }

  func sender(of event: Int) -> Int? { origins[event]?.sender }

  func site(of event: Int) -> CallSite {
    var origin = origins[event]
    while let cause = origin?.cause, let next = origins[cause] { origin = next }
    return origin?.site ?? site
  }

  /// The call of the test that led directly to an event; `nil` if an event of the store did.
  func directSite(of event: Int) -> CallSite? { origins[event]?.site }

  func cause(of event: Int) -> Int? { origins[event]?.cause }
}
