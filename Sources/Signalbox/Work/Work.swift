/// One piece of work: an action or a run, from before it starts until nothing is left of it.
///
///     queued ──▶ running ──▶ ended          cancelled and ignored work ends at once, although
///        └──────────┴──────────▲            its body may still be on its way to returning
///
/// Ended work lets go of its body, its task and its owner. What remains is the outcome, for who
/// holds a handle.
@MainActor final class Work {
  let name: WorkName?
  let priority: TaskPriority?
  private(set) var outcome: Result<Void, any Error>?
  private(set) var isCancelled = false

  private var parent: Work?
  private var body: (@MainActor () async throws -> Void)?
  private var task: Task<Void, Never>?
  private var owner: (any WorkOwner)?
  private var onEnd: [@MainActor (Result<Void, any Error>) -> Void] = []
  private var onSettle: [@MainActor () -> Void] = []
  /// Itself until it has ended, and each piece of work that it began and that has not settled.
  private var unsettled = 1

  /// - Parameters:
  ///   - parent: the work that began this one, and settles no sooner.
  ///   - owner: is told of a cancel.
  init(
    name: WorkName?, priority: TaskPriority? = nil, parent: Work?, owner: (any WorkOwner)?,
    body: @escaping @MainActor () async throws -> Void
  ) {
    self.name = name
    self.priority = priority
    self.owner = owner
    self.body = body
    if let parent, parent.unsettled > 0 {
      parent.skipEndedAncestors()
      self.parent = parent
      parent.unsettled += 1
    }
  }

  /// Work that a stale writer or a store that is gone was asked for: it has been cancelled.
  static var dropped: Work {
    let work = Work(name: nil, parent: nil, owner: nil) {}
    work.cancel()
    return work
  }

  var isEnded: Bool { outcome != nil }
  var isSettled: Bool { unsettled == 0 }

  /// Runs the body up to its first suspension, and on.
  func start(_ didEnd: @escaping @MainActor (Work, Result<Void, any Error>) -> Void) {
    guard outcome == nil, let body = body.take() else { return }
    let task = Task.immediate(priority: priority) { @MainActor in
      do {
        try await body()
        didEnd(self, .success(()))
      } catch {
        didEnd(self, .failure(error))
      }
    }
    if outcome == nil { self.task = task } else if isCancelled { task.cancel() }
  }

  /// Ends the work without waiting for its body to return.
  func cancel() {
    guard outcome == nil else { return }
    isCancelled = true
    let task = task.take()
    let owner = owner.take()
    // First of all its writes are cut off: what runs on a cancel may write already.
    owner?.workWasCancelled()
    end(.failure(CancellationError()))
    task?.cancel()
  }

  /// Records the outcome and resumes who waits for it.
  ///
  /// Only the first counts.
  func end(_ outcome: Result<Void, any Error>) {
    guard self.outcome == nil else { return }
    self.outcome = outcome
    body = nil
    task = nil
    owner = nil
    let waiting = onEnd
    onEnd = []
    for resume in waiting { resume(outcome) }
    settleOne()
  }

  /// Calls back with the outcome: now, or when there is one.
  func whenEnded(_ body: @escaping @MainActor (Result<Void, any Error>) -> Void) {
    if let outcome { body(outcome) } else { onEnd.append(body) }
  }

  /// Calls back when the work, and all that it began, recursively, has ended.
  func whenSettled(_ body: @escaping @MainActor () -> Void) {
    if isSettled { body() } else { onSettle.append(body) }
  }

  private func settleOne() {
    var work = self
    while true {
      work.unsettled -= 1
      guard work.unsettled == 0 else { return }
      let waiting = work.onSettle
      work.onSettle = []
      for resume in waiting { resume() }
      guard let parent = work.parent.take() else { return }
      work = parent
    }
  }

  /// An action that ends by dispatching the next one, for ever, must not leave a chain of them:
  /// an ancestor that has ended, and of which nobody else knows, only stands in the way.
  private func skipEndedAncestors() {
    while isKnownUniquelyReferenced(&parent), let ended = parent, ended.isEnded,
      ended.unsettled == 1, ended.onSettle.isEmpty
    {
      parent = ended.parent
      ended.parent = nil
    }
  }
}

/// Whoever stands behind a piece of work and must let go when it is cancelled.
@MainActor protocol WorkOwner: AnyObject {
  func workWasCancelled()
}
