/// Counts what must end before a piece of work has settled: itself and the work it started (A2).
///
///     Work ──▶ Settlement ──▶ Settlement of the parent ──▶ …
///     open ──▶ closed                  everything has ended
///       └────▶ merged into its parent  the work has ended, and no handle is left
///
/// A separate object, so that work is released before the work that it started has ended. Merged,
/// so that a chain of actions, each of which dispatches the next, keeps no chain of these (A10).
@MainActor final class Settlement {
  private enum State {
    case open
    case merged(into: Settlement)
    /// Everything has ended, or neither a handle nor a parent is left to wait for it.
    case closed
  }

  private var state = State.open
  /// The number of unsettled pieces of work: itself until it is over, and those that it started.
  private var unsettled = 1
  private(set) var parent: Settlement?
  private var isWorkOver = false
  /// Whether the work is over and a handle to it is left.
  private var isHeld = false
  private var onSettle: [@MainActor () -> Void] = []

  init(parent: Settlement?) { self.parent = parent }

  /// The settlement that this one has been merged into, or itself; `nil` if that one is closed.
  var current: Settlement? {
    if case .open = state { return self }
    var path: [Settlement] = []
    var last = self
    while case .merged(let next) = last.state {
      path.append(last)
      last = next
    }
    // Path compression. A long chain would also be released recursively.
    for settlement in path { settlement.state = .merged(into: last) }
    if case .open = last.state { return last }
    return nil
  }

  /// Whether this is another settlement, or lies within it.
  func leads(to other: Settlement) -> Bool {
    var next = current
    while let settlement = next {
      if settlement === other { return true }
      next = settlement.parent?.current
    }
    return false
  }

  func add() { unsettled += 1 }

  func whenSettled(_ body: @escaping @MainActor () -> Void) {
    if let current { current.onSettle.append(body) } else { body() }
  }

  func workIsOver(isHeld: Bool) {
    isWorkOver = true
    self.isHeld = isHeld
    settleOne()
    mergeIfForgotten()
  }

  func handleHasGone() {
    isHeld = false
    mergeIfForgotten()
  }

  func settleOne() {
    var next = current
    while let settlement = next { next = settlement.hasSettledOne() }
  }

  /// - Returns: the parent, which counts this settlement, if this one has now settled.
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
    // The parent already counts this settlement as one.
    parent.unsettled += unsettled - 1
    state = .merged(into: parent)
  }
}
