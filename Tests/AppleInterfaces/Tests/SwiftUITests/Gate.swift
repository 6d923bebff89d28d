/// A gate at which work waits until it is opened or the work is cancelled.
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

  /// Waits until work has passed the gate.
  func left() async {
    if hasLeft { return }
    await withCheckedContinuation { leaving.append($0) }
  }
}
