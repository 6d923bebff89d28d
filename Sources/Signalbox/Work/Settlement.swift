/// What has to end before a piece of work has settled (A2): itself, and all that it began.
///
///     Work ──▶ Settlement ──▶ Settlement of the work that began it ──▶ …
///     open ──▶ settled                 nothing is left that has not ended
///       └────▶ merged into its parent  the work has ended, and no handle is left
///
/// Apart from the work, so that work which began other work does not stay for it with its action;
/// and merged with that of its parent once no handle is left, so that actions which dispatch
/// their successor leave no chain.
@MainActor final class Settlement {
  private enum State {
    case open
    case merged(into: Settlement)
    /// Settled, or without anything left to tell.
    case closed
  }

  private var state = State.open
  /// The work itself until it is over, and each that it began and that has not settled.
  private var unsettled = 1
  private var parent: Settlement?
  private var isWorkOver = false
  /// Whether there is a handle on work that is over.
  private var isHeld = false
  private var onSettle: [@MainActor () -> Void] = []

  init(parent: Settlement?) { self.parent = parent }

  /// The one that counts for this one; `nil` if it has settled, or nothing can ask.
  var current: Settlement? {
    if case .open = state { return self }
    var path: [Settlement] = []
    var last = self
    while case .merged(let next) = last.state {
      path.append(last)
      last = next
    }
    // At once from here on: a long way would be released step by step, each inside the other.
    for settlement in path { settlement.state = .merged(into: last) }
    if case .open = last.state { return last }
    return nil
  }

  /// The work has begun other work.
  func add() { unsettled += 1 }

  /// Calls back when all has ended: now, or as soon as that is so.
  func whenSettled(_ body: @escaping @MainActor () -> Void) {
    if let current { current.onSettle.append(body) } else { body() }
  }

  /// The work is over.
  ///
  /// - Parameter isHeld: whether there is a handle, which may ask when it has settled.
  func workIsOver(isHeld: Bool) {
    isWorkOver = true
    self.isHeld = isHeld
    settleOne()
    mergeIfForgotten()
  }

  /// The last handle has gone.
  func handleHasGone() {
    isHeld = false
    mergeIfForgotten()
  }

  /// Something that was counted here has ended, or settled.
  func settleOne() {
    var next = current
    while let settlement = next { next = settlement.hasSettledOne() }
  }

  /// - Returns: whom this one has kept from settling, if it has now settled.
  private func hasSettledOne() -> Settlement? {
    unsettled -= 1
    guard unsettled == 0 else { return nil }
    state = .closed
    for body in onSettle.takeAll() { body() }
    return parent.take()?.current
  }

  private func mergeIfForgotten() {
    guard case .open = state, isWorkOver, !isHeld, onSettle.isEmpty else { return }
    guard let parent = parent.take()?.current else {
      state = .closed
      return
    }
    // It counts as one there already.
    parent.unsettled += unsettled - 1
    state = .merged(into: parent)
  }
}
