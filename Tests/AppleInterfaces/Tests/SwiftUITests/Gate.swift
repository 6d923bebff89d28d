/// A place where work waits until it is let through, or cancelled.
@MainActor final class Gate {
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var isOpen = false
  private var hasLeft = false
  private var leaving: [CheckedContinuation<Void, Never>] = []

  nonisolated init() {}

  func pass() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { isOpen ? $0.resume() : waiting.append($0) }
    } onCancel: {
      Task { @MainActor in self.open() }
    }
    hasLeft = true
    for continuation in leaving { continuation.resume() }
    leaving = []
  }

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  /// Waits until somebody has come out on the other side.
  func left() async {
    if hasLeft { return }
    await withCheckedContinuation { leaving.append($0) }
  }
}
