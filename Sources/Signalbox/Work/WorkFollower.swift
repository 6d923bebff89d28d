/// Follows a store and its children more closely than their events allow, as a test store does.
@MainActor package protocol WorkFollower: AnyObject {
  /// Called before work starts, with its name for failure messages; returns its task's executor.
  func willStart(_ name: String, event: Int?) -> any FollowedWork

  /// Called when a caller starts to wait for the work that began with an event; the returned
  /// closure is called at the end of the wait, before the caller continues.
  ///
  /// - Parameter giveUp: ends the wait as if the work was cancelled; `nil` if it cannot be ended.
  func willWait(
    for event: Int?, orGiveUp giveUp: (@MainActor () -> Void)?
  ) -> @MainActor () -> Void

  /// Called when a caller starts to wait for a value; returns `nil` if the caller is work.
  func willWaitForValue(orGiveUp giveUp: @escaping @MainActor () -> Void)
    -> (@MainActor () -> Void)?

  // Called when work starts to wait for a value from outside, which may never come. The store calls
  // the returned closure when the value has come, before the work continues.
  func willListen() -> @MainActor () -> Void

  /// Called when an operator of a hook holds a value back; returns what to call at the end of that.
  func willHold(
    for interval: Duration, on clock: any Clock<Duration>, hook: String
  ) -> @MainActor () -> Void

  /// Called when a hook first awaits an async sequence; returns the executor of its sequences.
  func willIterate(_ hook: String) -> any FollowedWork

  /// Called when a hook has lost its last sink and therefore cannot fire.
  func hookIsOver()
}

/// The executor of the task of one piece of work, which sees every job that the work runs, also in
/// child tasks and on other actors; only the jobs on the main actor run elsewhere.
package protocol FollowedWork: TaskExecutor {
  /// Makes the task of the work on this executor, and runs it up to its first suspension.
  @MainActor func makeTask(
    priority: TaskPriority?, _ body: @escaping @MainActor () async -> Void
  ) -> Task<Void, any Error>

  /// Called when the work is over, although its body may still run.
  @MainActor func isOver()

  @MainActor func bodyHasBegun()

  @MainActor func bodyHasReturned()
}
