/// Suspends the caller until work has ended, or until the follower of the work gives the wait up (T13).
///
/// - Parameters:
///   - event: the number of the first event of the work.
///   - start: receives a closure that ends the wait.
@MainActor func waitForWork(
  _ event: Int?, on follower: (any WorkFollower)?,
  _ start: (@escaping @MainActor () -> Void) -> Void
) async {
  guard let follower else {
    return await withCheckedContinuation { continuation in start { continuation.resume() } }
  }
  let wait = FollowedWait()
  wait.didEnd = follower.willWait(for: event) { wait.end() }
  start { wait.end() }
  await withCheckedContinuation { wait.arrival.wait(by: $0) }
}

@MainActor private final class FollowedWait {
  var arrival = ResumeOnce<Void, Never>()
  var didEnd: @MainActor () -> Void = {}

  func end() {
    // The caller continues on the main actor, so not before this returns.
    if arrival.resume(with: .success(())) { exchange(&didEnd, with: {})() }
  }
}
