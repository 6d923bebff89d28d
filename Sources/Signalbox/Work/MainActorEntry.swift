import Synchronization

/// Runs a body on the main actor later, with the task-local values and the priority of its maker.
///
///     init      a task begins, and its first job is kept
///     take()    the job runs at once and enters the main actor
///
/// A task whose executor keeps its jobs, because only making a task copies task-local values.
@MainActor final class MainActorEntry: TaskExecutor {
  private var body: (@MainActor () -> Void)?
  private nonisolated let jobs = Mutex<[UnownedJob]>([])

  /// - Parameter body: is released by `take` or `giveUp`, without which the task is never released.
  init(_ body: @escaping @MainActor () -> Void) {
    self.body = body
    makeTask()
  }

  func take() {
    // The first job runs on this executor. It enqueues a second one, which enters the main actor.
    while let job = jobs.withLock({ $0.popLast() }) {
      unsafe job.runSynchronously(on: MainActor.sharedUnownedExecutor)
    }
  }

  /// Releases the body and the task without running the body.
  func giveUp() {
    _ = body.take()
    take()
  }

  nonisolated func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  // Not isolated, because the first job of an isolated task would go to the main actor's executor.
  private nonisolated func makeTask() {
    Task(executorPreference: self) { self.hasEntered() }
  }

  private nonisolated func hasEntered() {
    MainActor.assumeIsolated { body.take()?() }
  }
}
