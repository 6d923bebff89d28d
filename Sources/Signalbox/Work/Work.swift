/// One piece of work: an action or a run, from before it starts until nothing is left of it.
///
///     queued ──▶ running ──▶ ended          cancelled and ignored work ends at once, although
///        └──────────┴──────────▲            its body may still be on its way to returning
///
/// Ended work lets go of its body and its task. What remains is the outcome, for who holds a
/// handle.
@MainActor final class Work {
  let name: WorkName?
  private(set) var outcome: Result<Void, any Error>?
  private(set) var isCancelled = false
  /// What it does; `nil` once it has ended.
  private(set) var body: WorkBody?
  /// Those who wait for this one and have its outcome (`.join`).
  private(set) var followers: [Work] = []
  /// Its own caller has cancelled it; it goes on for its followers.
  private(set) var isAbandoned = false

  /// Where the book has it, if it has no name.
  @safe @exclusivity(unchecked) var position = 0

  /// The work that it waits for.
  private(set) var leader: Work?

  private var parent: Work?
  private var task: Task<Void, Never>?
  private var onEnd: [@MainActor (Result<Void, any Error>) -> Void] = []
  private var onSettle: [@MainActor () -> Void] = []
  /// Itself until it has ended, and each piece of work that it began and that has not settled.
  private var unsettled = 1

  /// - Parameter parent: the work that began this one, and settles no sooner.
  init(name: WorkName?, parent: Work?, body: WorkBody) {
    self.name = name
    self.body = body
    if let parent, parent.unsettled > 0 {
      parent.skipEndedAncestors()
      self.parent = parent
      parent.unsettled += 1
    }
  }

  /// Work that a stale writer or a store that is gone was asked for: it has been cancelled.
  static var dropped: Work {
    let work = Work(name: nil, parent: nil, body: WorkBody())
    work.cancel()
    return work
  }

  var isEnded: Bool { outcome != nil }
  var isSettled: Bool { unsettled == 0 }

  /// Runs the body up to its first suspension, and on.
  func start(in book: WorkBook) {
    guard let body else { return }
    let task = body.start(self, in: book)
    if self.body != nil { self.task = task } else if isCancelled { task.cancel() }
  }

  /// The body has returned or thrown.
  ///
  /// Of work that was cancelled this is no news.
  func hasReturned(_ outcome: Result<Void, any Error>, in book: WorkBook) {
    guard body != nil else { return }
    body = nil
    task = nil
    book.remove(self)
    end(outcome)
    book.startNext(after: self)
  }

  /// Ends the work without waiting for its body to return.
  ///
  /// First of all its writes are cut off: what runs on a cancel may write already.
  func cancel() {
    guard let body = body.take() else { return }
    let task = task.take()
    isCancelled = true
    leader.take()?.followers.removeAll { $0 === self }
    body.wasCancelled()
    end(.failure(CancellationError()), wasCancelled: true)
    task?.cancel()
  }

  /// Ends the work for its own caller; it goes on for its followers.
  func abandon() {
    guard outcome == nil else { return }
    isAbandoned = true
    isCancelled = true
    finish(.failure(CancellationError()))
  }

  /// Waits for other work and has its outcome, in place of running.
  func follow(_ leader: Work) {
    self.leader = leader
    leader.followers.append(self)
  }

  /// Calls back with the outcome: now, or when there is one.
  func whenEnded(_ body: @escaping @MainActor (Result<Void, any Error>) -> Void) {
    if let outcome { body(outcome) } else { onEnd.append(body) }
  }

  /// Calls back when the work, and all that it began, recursively, has ended.
  func whenSettled(_ body: @escaping @MainActor () -> Void) {
    if isSettled { body() } else { onSettle.append(body) }
  }

  private func end(_ outcome: Result<Void, any Error>, wasCancelled: Bool = false) {
    if wasCancelled { isCancelled = true }
    if self.outcome == nil { finish(outcome) }
    if !followers.isEmpty {
      let followers = followers
      self.followers = []
      for follower in followers { follower.leaderHasEnded(outcome, wasCancelled: wasCancelled) }
    }
    settleOne()
  }

  private func leaderHasEnded(_ outcome: Result<Void, any Error>, wasCancelled: Bool) {
    leader = nil
    guard let body = body.take() else { return }
    if wasCancelled { body.wasCancelled() } else { body.leaderHasEnded(outcome) }
    end(outcome, wasCancelled: wasCancelled)
  }

  /// Records the outcome and resumes who waits for it.
  private func finish(_ outcome: Result<Void, any Error>) {
    self.outcome = outcome
    guard !onEnd.isEmpty else { return }
    let waiting = onEnd
    onEnd = []
    for resume in waiting { resume(outcome) }
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

  /// An action that ends by dispatching the next one, for ever, must not leave a chain of them.
  ///
  /// An ancestor that has ended, and of which nobody else knows, only stands in the way.
  private func skipEndedAncestors() {
    while isKnownUniquelyReferenced(&parent), let ended = parent, ended.isEnded,
      ended.unsettled == 1, ended.onSettle.isEmpty
    {
      parent = ended.parent
      ended.parent = nil
    }
  }
}

/// What a piece of work does.
@MainActor class WorkBody {
  /// Starts at once, in a task that tells the work, once, how it went.
  func start(_ work: Work, in book: WorkBook) -> Task<Void, Never> {
    Task.immediate { work.hasReturned(.success(()), in: book) }
  }

  /// From here on nothing that it does counts.
  func wasCancelled() {}

  /// It has not run; what ran in its place has ended.
  func leaderHasEnded(_ outcome: Result<Void, any Error>) {}
}
