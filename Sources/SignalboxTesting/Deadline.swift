import Dispatch
import Foundation

/// Waits for something to happen, with a timeout as the only clock.
enum Deadline {
  /// - Parameter happens: is handed what to call when it happens, from any thread; it may be at
  ///   once.
  /// - Returns: `false` if the time ran out first.
  @MainActor static func wait(
    _ timeout: Duration, until happens: (@escaping @Sendable () -> Void) -> Void
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      let answer = Answer(continuation)
      happens { answer.give(true) }
      guard answer.isOpen else { return }
      let seconds = max(timeout, .zero) / .seconds(1)
      // Not on the main queue: a test may keep that busy.
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { answer.give(false) }
    }
  }

  /// The first of two answers, whichever thread it comes from.
  private final class Answer: Sendable {
    private let lock = NSLock()
    // Guarded by `lock`.
    private nonisolated(unsafe) var continuation: CheckedContinuation<Bool, Never>?

    init(_ continuation: CheckedContinuation<Bool, Never>) {
      unsafe self.continuation = continuation
    }

    var isOpen: Bool { lock.withLock { unsafe continuation != nil } }

    func give(_ value: Bool) {
      let open = lock.withLock { unsafe continuation.take() }
      open?.resume(returning: value)
    }
  }
}
