import Dispatch

/// Waits for something to happen, with a timeout as the only clock.
@MainActor enum Deadline {
  /// - Parameter happens: is handed what to call when it happens, which may be at once.
  /// - Returns: `false` if the time ran out first.
  static func wait(
    _ timeout: Duration, until happens: (@escaping @MainActor () -> Void) -> Void
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      let answer = Answer(continuation)
      happens { answer.give(true) }
      guard answer.isOpen else { return }
      let seconds = Double(timeout.components.seconds)
      let fraction = Double(timeout.components.attoseconds) / 1e18
      DispatchQueue.main.asyncAfter(deadline: .now() + seconds + fraction) { answer.give(false) }
    }
  }

  private final class Answer {
    private var continuation: CheckedContinuation<Bool, Never>?

    init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = continuation }

    var isOpen: Bool { continuation != nil }

    func give(_ value: Bool) { continuation.take()?.resume(returning: value) }
  }
}
