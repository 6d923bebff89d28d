/// Changes with exclusive access to the state.
extension StateStorage {
  func update<R>(by writer: any Writer, _ body: (inout State) throws -> R) rethrows -> R {
    if !isRoot || isAway { return try updatePart(by: writer, body) }
    let isWatched = beginUpdate(by: writer)
    defer { endUpdate(isWatched, by: writer) }
    return try unsafe body(&memory.pointee)
  }

  /// Begins exclusive access until `endUpdate`, and returns whether there are observers to notify.
  @inline(__always) func beginUpdate(by holder: any Writer) -> Bool {
    if !isQuiet { prepareForUpdate() }
    let isWatched = flags & Self.watched != 0
    transaction.isComparing = isWatched
    hold(holder)
    return isWatched
  }

  private func prepareForUpdate() {
    checkAct()
    guard flags & Self.watched != 0 else { return }
    willChange(whole.range, isCertain: false)
  }

  @inline(__always) func endUpdate(_ isWatched: Bool, by writer: any Writer) {
    release()
    guard isWatched else { return }
    transaction.isComparing = false
    didChange(Write(whole, .open), by: writer)
    transaction.runPostponedIfReleased()
  }
}
