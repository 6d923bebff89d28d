/// Suspends the caller until work has ended, or until its follower gives the wait up (T13).
///
/// - Parameter start: receives a closure that ends the wait.
@MainActor func waitForWork(
  _ event: Int?, on follower: (any WorkFollower)?,
  _ start: (@escaping @MainActor () -> Void) -> Void
) async {
  await withCheckedContinuation { (waiting: CheckedContinuation<Void, Never>) in
    var continuation: CheckedContinuation<Void, Never>? = waiting
    var didEnd: (@MainActor () -> Void)?
    let end = { @MainActor in
      guard let waiting = continuation.take() else { return }
      waiting.resume()
      // The caller continues on the main actor, so not before this returns.
      didEnd.take()?()
    }
    didEnd = follower?.willWait(for: event, orGiveUp: end)
    start(end)
  }
}
