/// Callers that wait until no work is running or queued.
extension WorkBook {
  /// Calls a closure once no work is running or queued, maybe now; returns the waiter's number.
  func whenIdle(_ body: @escaping @MainActor () -> Void) -> Int {
    lastWaiter += 1
    if count == 0 { body() } else { onIdle[lastWaiter] = body }
    return lastWaiter
  }

  func stopWaiting(_ waiter: Int) { onIdle.removeValue(forKey: waiter) }

  func reportIfIdle() {
    guard count == 0, !onIdle.isEmpty else { return }
    let waiting = onIdle
    onIdle = [:]
    for (_, body) in waiting.sorted(by: { $0.key < $1.key }) { body() }
  }
}
