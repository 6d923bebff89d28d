/// The waits of a test that are no calls of the test kit, such as for the `value` of a handle (T13).
///
///     a wait, and no call of the kit ──▶ watch ──▶ idle for the timeout ──▶ failure, the wait ends
///
/// A call of the kit that waits may answer what the test waits for, so only the time after it counts.
@MainActor final class TestWaits {
  private var waits: [Int: @MainActor (Patience.End) -> Void] = [:]
  private var lastNumber = 0
  /// The number of calls of the kit that wait.
  private var calls = 0
  private var watch: Task<Void, Never>?

  /// - Returns: a closure to call when the wait has ended. `giveUp` ends it with a failure.
  func add(
    in scope: TestScope, _ giveUp: @escaping @MainActor (Patience.End) -> Void
  ) -> @MainActor () -> Void {
    lastNumber += 1
    let number = lastNumber
    waits[number] = giveUp
    update(in: scope)
    return {
      self.waits[number] = nil
      self.update(in: scope)
    }
  }

  func callBegins(in scope: TestScope) {
    calls += 1
    update(in: scope)
  }

  func callEnds(in scope: TestScope) {
    calls -= 1
    update(in: scope)
  }

  private func update(in scope: TestScope) {
    if waits.isEmpty || calls > 0 {
      watch?.cancel()
      watch = nil
    } else if watch == nil {
      watch = Task { await giveUpWhenIdle(in: scope) }
    }
  }

  private func giveUpWhenIdle(in scope: TestScope) async {
    let end = await Patience(isWatch: true, in: scope).wait { waits.isEmpty }
    guard !Task.isCancelled, end == .elapsed || end == .restless else { return }
    watch = nil
    let all = waits.sorted { $0.key < $1.key }
    waits = [:]
    for wait in all { wait.value(end) }
  }
}
