/// A task of the current work that waits for something that the kit knows.
///
/// While it waits, the work does not count as busy.
struct ParkedTask: Sendable {
  let piece: Piece
  private let wait: Int

  /// Parks the current task; `nil` if the task does not belong to the work of a test store.
  init?(for wait: Piece.Wait) {
    guard let piece = Piece.current else { return nil }
    self.piece = piece
    self.wait = piece.beginWaiting(for: wait)
  }

  /// Records that the task is about to continue, before it continues.
  func wake() { piece.endWaiting(wait) }

  /// Parks the current task until the closure is called.
  static func wait(for wait: Piece.Wait) -> @MainActor () -> Void {
    let parked = ParkedTask(for: wait)
    return { parked?.wake() }
  }
}
