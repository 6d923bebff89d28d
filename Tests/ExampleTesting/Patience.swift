import Terminal

/// How long a test waits before it fails.
///
/// Only the time during which the main actor answers counts. On a busy machine, the tests that run
/// beside this one may keep it for minutes.
package final class Patience {
  /// The seconds that are left.
  private var left = 120
  private var counted = ContinuousClock.now
  private let isAnswered = Locked(true)

  package init() {}

  /// Whether to wait on.
  ///
  /// Call it once a second at least.
  package var isLeft: Bool {
    guard .now - counted >= .seconds(1), isAnswered.withLock(\.self) else { return left > 0 }
    left -= 1
    counted = .now
    isAnswered.withLock { $0 = false }
    Task { @MainActor [isAnswered] in isAnswered.withLock { $0 = true } }
    return left > 0
  }
}
