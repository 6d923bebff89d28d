/// Which orders an exploration leaves out.
public enum Reduction: Sendable {
  /// None. A scenario may look at things that the test kit does not see.
  case none
  /// Orders that differ from one that runs only in the order of independent steps (I6).
  ///
  /// Two steps are independent if neither touches what the other one changes: a part of a state,
  /// work or its name, a hook, a subscriber, an endpoint or the clock. What the scenario, its
  /// conditions, its answers and the code under test look at must be in test stores, endpoints or the
  /// clock of the exploration. If a state holds objects, nothing is left out.
  case equivalentOrders
}

/// Finds the orders that another order makes superfluous.
///
///     a ─ b        After a, the search goes on with b and c. In the orders that begin with b, a need
///     b ─ a ✗      not come next if a and b are independent, because that leads to the same. Such a
///       └ c        choice is asleep until a step that depends on it has been made.
///
/// These are the sleep sets of Godefroid's "Partial-Order Methods for the Verification of Concurrent
/// Systems".
@MainActor final class OrderReduction {
  /// What the conditions have read that must always hold.
  private var watched = Footprint()
  /// Whether the scenario looks at the order of events.
  private(set) var keepsHistory = false
  /// Whether more has to be watched than when the search began, so that choices may sleep that must
  /// not.
  private(set) var isOutdated = false
  /// Whether a footprint has been made with what is watched.
  private var isUsed = false

  /// Begins a search, or begins it again.
  func restart() { (isOutdated, isUsed) = (false, false) }

  func makeRecorder() -> FootprintRecorder { FootprintRecorder(keepingHistory: keepsHistory) }

  /// Looks at what an order has asked for.
  func hasRun(with recorder: FootprintRecorder) {
    guard recorder.wantsHistory, !keepsHistory else { return }
    (keepsHistory, isOutdated) = (true, true)
  }

  /// Records what a check of the conditions reads.
  func watch(with recorder: FootprintRecorder, _ check: () -> Void) {
    recorder.begin()
    check()
    if watched.add(recorder.end()), isUsed { isOutdated = true }
  }

  /// Adds to what a step has touched that it may change what the conditions say.
  func completed(_ footprint: Footprint) -> Footprint {
    isUsed = true
    var footprint = footprint
    if footprint.mayChange(whatIsReadBy: watched) { footprint.add(.conditions) }
    return footprint
  }
}

/// A point of the search, which all orders share that begin with the same choices.
@MainActor final class ChoicePoint {
  /// The choices that need not be made here, because an order that has made them already leads to
  /// the same.
  let asleep: [String: Footprint]
  /// The choices that have been made here, in the order in which the search made them.
  private var made: [(token: String, footprint: Footprint)] = []

  init(asleep: [String: Footprint] = [:]) { self.asleep = asleep }

  /// Records a choice and what its step has touched.
  ///
  /// - Returns: the point after it.
  func point(after token: String, _ footprint: Footprint) -> ChoicePoint {
    let before = made.prefix { $0.token != token }
    if before.count == made.count { made.append((token, footprint)) }
    var others = asleep
    for other in before { others[other.token] = other.footprint }
    others[token] = nil
    return ChoicePoint(asleep: others.filter { $0.value.isIndependent(of: footprint) })
  }
}
