import Synchronization

/// A way onto the main actor that is made now and taken once, later: what is done there has the
/// task-locals and the priority of the one that made it.
///
///     made      a task begins, and its first job is kept
///     taken     the job runs, at once, where the main actor is entered
///
/// Only the making of a task copies task-locals. So the entry is a task, whose executor runs nothing
/// by itself.
@MainActor final class MainActorEntry: TaskExecutor {
  private var body: (@MainActor () -> Void)?
  private nonisolated let jobs = Mutex<[UnownedJob]>([])

  /// - Parameter body: is released when the entry has been taken or given up, one of which must
  ///   happen: a task that never ran would stay for good.
  init(_ body: @escaping @MainActor () -> Void) {
    self.body = body
    makeTask()
  }

  /// Runs the body before it returns.
  func take() {
    // The first job gets as far as the executor, and the second one enters the main actor.
    while let job = jobs.withLock({ $0.popLast() }) {
      unsafe job.runSynchronously(on: MainActor.sharedUnownedExecutor)
    }
  }

  /// Lets go of the body, and of the task.
  func giveUp() {
    _ = body.take()
    take()
  }

  nonisolated func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  // Not isolated, or its first job would be given to the main actor.
  private nonisolated func makeTask() {
    Task(executorPreference: self) { self.hasEntered() }
  }

  private nonisolated func hasEntered() {
    MainActor.assumeIsolated { body.take()?() }
  }
}
