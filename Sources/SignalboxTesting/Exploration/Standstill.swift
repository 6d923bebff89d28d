import Signalbox

/// Holds a task of the main actor until something on the main queue lets it go on.
///
/// A continuation resumes its task on a thread of the pool, and the hop from there to the main
/// queue takes as long as the rest of a step. A task that enters this actor stays on that queue.
actor Standstill: SerialExecutor {
  private nonisolated let job = LockedValue<UnownedJob?>(nil)
  private var hasEnded = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe asUnownedSerialExecutor() }

  nonisolated func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    self.job.withLock { $0 = job }
  }

  /// Suspends the caller until `end()`.
  func wait() { hasEnded = true }

  @MainActor func end() {
    if let job = job.withLock({ $0.take() }) { unsafe job.runSynchronously(on: unownedExecutor) }
  }
}
