/// Follows the tasks of sources without a store, such as connections, for a test that runs in every
/// order and must know when such a task rests.
@MainActor package protocol SourceFollower: AnyObject, Sendable {
  /// Called before a task starts; returns its executor, which names it in failure messages.
  func willStart(_ name: String) -> any FollowedWork

  /// Called when such a task begins to wait, maybe forever; returns what to call afterwards.
  func willListen() -> @MainActor () -> Void
}

/// Starts the tasks of sources.
package enum SourceTasks {
  /// The follower of the sources that begin in the current task.
  @TaskLocal package static var follower: (any SourceFollower)?

  /// Starts a task up to its first suspension; returns a closure that cancels it.
  ///
  /// Unless it is followed, it has neither the task-local values nor the priority of the caller.
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
