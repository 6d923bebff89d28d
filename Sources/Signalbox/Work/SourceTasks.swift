/// Follows the tasks of sources that belong to no store, such as connections.
///
/// A test that runs in every order must know when such a task rests.
@MainActor package protocol SourceFollower: AnyObject, Sendable {
  /// Called before a task of a source starts.
  ///
  /// - Parameter name: the name of the task in failure messages.
  /// - Returns: the executor of the task.
  func willStart(_ name: String) -> any FollowedWork

  /// Called when such a task starts to wait for a value that may never come.
  ///
  /// - Returns: a closure that is called when the wait is over.
  func willListen() -> @MainActor () -> Void
}

/// Starts the tasks of sources.
package enum SourceTasks {
  /// The follower of the sources that begin in the current task.
  @TaskLocal package static var follower: (any SourceFollower)?

  /// Starts a task that belongs to no subscriber, and runs it up to its first suspension.
  ///
  /// It has neither the task-local values nor the priority of the code that starts it, unless it is
  /// followed.
  ///
  /// - Returns: a closure that cancels the task.
  @MainActor package static func start(
    _ name: String, followedBy follower: (any SourceFollower)?,
    _ body: @escaping @MainActor @Sendable () async -> Void
  ) -> @MainActor () -> Void {
    guard let follower else {
      let task = Task.atOnceDetached(body)
      return { task.cancel() }
    }
    let followed = follower.willStart(name)
    let task = followed.makeTask(priority: nil) {
      followed.bodyHasBegun()
      await body()
      followed.isOver()
      followed.bodyHasReturned()
    }
    return { task.cancel() }
  }
}
