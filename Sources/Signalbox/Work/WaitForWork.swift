/// Suspends the caller until work has ended, or until its follower gives the wait up (T13).
///
/// - Parameter start: receives a closure that ends the wait.
@MainActor func waitForWork(
  _ event: Int?, on follower: (any WorkFollower)?,
  _ start: (@escaping @MainActor () -> Void) -> Void
) async {
  let end = Promise<Void>()
  end.didEndWait = follower?.willWait(for: event) { end.fulfil(()) }
  start { end.fulfil(()) }
  await end.value
}
