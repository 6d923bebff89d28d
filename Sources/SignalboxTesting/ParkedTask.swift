/// A task of the current work that waits for something known, so that work does not count as busy.
struct ParkedTask: Sendable {
  let piece: Piece
  private let wait: Int

  /// Parks the current task; `nil` if it does not belong to the work of a test store.
  init?(for wait: Piece.Wait) {
    guard let piece = Piece.current else { return nil }
    self.piece = piece
    self.wait = piece.beginWaiting(for: wait)
  }

  /// Must be called before the task continues.
  func wake() { piece.endWaiting(wait) }

  /// Parks the current task until the closure is called.
  static func wait(for wait: Piece.Wait) -> @MainActor () -> Void {
    let parked = ParkedTask(for: wait)
    return { parked?.wake() }
  }
}
