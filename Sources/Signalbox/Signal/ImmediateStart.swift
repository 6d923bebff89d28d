import Foundation

/// Starts tasks of the main actor at once on systems without `Task.immediate`.
///
///     a task is made ──▶ job of this actor ──▶ body, up to its first suspension
///                        runs in place, as the main actor
///
/// The runtime takes such a job for one of the main actor, so the body begins without another job.
/// Only the main actor makes these tasks and ends their bodies, so every job comes from it.
///
/// Not a task executor, which a task keeps: after a suspension, each call of a function on the main
/// actor would wait for other tasks.
@globalActor actor ImmediateStart: SerialExecutor {
  static let shared = ImmediateStart()

  /// Whether tasks start this way on all systems, as in the CI run that sets the variable.
  static let isForced = ProcessInfo.processInfo.environment["SIGNALBOX_OLDER_START"] != nil

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe asUnownedSerialExecutor() }

  nonisolated func enqueue(_ job: consuming ExecutorJob) {
    assert(MainQueue.isCurrent, "A task that starts at once must be made on the main actor.")
    unsafe UnownedJob(job).runSynchronously(on: MainActor.sharedUnownedExecutor)
  }
}

extension Task where Failure == any Error {
  /// Starts a task of the main actor, and runs it up to its first suspension.
  @inline(__always) @MainActor @discardableResult package static func atOnce(
    priority: TaskPriority? = nil, _ body: @escaping @MainActor () async throws -> Success
  ) -> Task {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), !ImmediateStart.isForced {
      return immediate(priority: priority, operation: body)
    }
    return Task(priority: priority) { @ImmediateStart in try await body() }
  }
}

extension Task where Failure == Never {
  @MainActor @discardableResult package static func atOnce(
    priority: TaskPriority? = nil, _ body: @escaping @MainActor () async -> Success
  ) -> Task {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), !ImmediateStart.isForced {
      return immediate(priority: priority, operation: body)
    }
    return Task(priority: priority) { @ImmediateStart in await body() }
  }

  /// As `atOnce`, but without the priority and the task-local values of the maker.
  @MainActor package static func atOnceDetached(
    _ body: @escaping @MainActor () async -> Success
  ) -> Task {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), !ImmediateStart.isForced {
      return immediateDetached(operation: body)
    }
    // Not within the call, where the compiler cannot check the isolation of the closure.
    let operation: @ImmediateStart () async -> Success = { await body() }
    return detached(operation: operation)
  }
}
