/// Follows work more closely than the events of its store allow, as a test store does.
@MainActor package protocol WorkFollower: AnyObject {
  /// Called before a piece of work starts.
  ///
  /// - Parameters:
  ///   - name: the name of the work in failure messages.
  ///   - event: the number of the work's first event.
  /// - Returns: the executor of the work's task, which is told how the work goes on.
  func willStart(_ name: String, event: Int?) -> any FollowedWork

  /// Called when a caller starts to wait for work.
  ///
  /// - Parameters:
  ///   - event: the number of the first event of the awaited work.
  ///   - giveUp: ends the wait as if the work had been cancelled; `nil` if it cannot be ended.
  /// - Returns: a closure that is called when the wait is over, before the caller continues.
  func willWait(
    for event: Int?, orGiveUp giveUp: (@MainActor () -> Void)?
  ) -> @MainActor () -> Void

  /// Called when a caller starts to wait for a value of the state.
  ///
  /// - Returns: a closure to call when the wait is over; `nil` if the caller is work.
  func willWaitForValue(orGiveUp giveUp: @escaping @MainActor () -> Void)
    -> (@MainActor () -> Void)?
}

/// The executor of the task of one piece of work, which sees every job that the work runs.
///
/// Child tasks inherit it, and so do hops between actors. Only the jobs on the main actor run
/// elsewhere.
package protocol FollowedWork: TaskExecutor {
  /// Makes the task of the work, which prefers this executor, and runs it up to its first
  /// suspension.
  @MainActor func makeTask(
    priority: TaskPriority?, _ body: @escaping @MainActor () async -> Void
  ) -> Task<Void, any Error>

  /// Called when the work is over, although its body may still run.
  @MainActor func isOver()

  /// Called when the body begins.
  @MainActor func bodyHasBegun()

  /// Called when the body has returned.
  @MainActor func bodyHasReturned()
}
