/// One piece of work: an action or a run, from before it starts until nothing is left of it.
///
///     WorkBook ──▶ Work ──▶ Task          is cancelled with it
///       who runs    │ └───▶ followers     those who joined it, and have its outcome
///                   └─────▶ parent        the work that began it, and settles no sooner
///
///     queued ──▶ running ──▶ over         cancelled and ignored work is over at once, although
///        └──────────┴─────────▲           its body may still be on its way to returning
///
/// What it does is for a subclass to say. The book ends it on demand; the subclass tells when its
/// body has returned.
@MainActor @usableFromInline class Work {
  final let name: WorkName?
  /// How it ended for its own caller.
  final private(set) var outcome: Result<Void, any Error>?
  final private(set) var isCancelled = false
  /// Nothing that its body still does counts.
  @safe @exclusivity(unchecked) final private(set) var isOver = false
  /// Its own caller has cancelled it; it goes on for its followers.
  final private(set) var isAbandoned = false

  /// Its number among all work of its book.
  @safe @exclusivity(unchecked) final var order = 0
  /// Where the book has it, if it has no name.
  @safe @exclusivity(unchecked) final var position = 0

  // Unchecked, as others here and in the book: no access encloses another, and to check each would
  // cost an action as much as all that the book does for it.
  @safe @exclusivity(unchecked) private final var parent: Work?
  private final var task: Task<Void, any Error>?
  /// A handle, who waits for it, for whom it waits: most have none of these.
  @safe @exclusivity(unchecked) private final var company: Company?
  /// Itself until it is over, and each piece of work that it began and that has not settled.
  @safe @exclusivity(unchecked) private final var unsettled = 1

  /// - Parameter parent: the work that began this one, and settles no sooner.
  init(name: WorkName?, parent: Work?) {
    self.name = name
    if let parent, parent.unsettled > 0 {
      parent.skipEndedAncestors()
      self.parent = parent
      parent.unsettled += 1
    }
  }

  /// What is there without having begun, and never ends: it is in no book.
  init() {
    name = nil
    unsettled = 0
  }

  /// Work that a stale writer or a store that is gone was asked for: it has been cancelled.
  static var dropped: Work {
    let work = Work(name: nil, parent: nil)
    work.cancel(.closed)
    return work
  }

  // MARK: - What it does

  /// Starts at once, in a task that tells the work, once, how it went.
  func makeTask() -> Task<Void, any Error>? { nil }

  /// From here on nothing that it does counts.
  func wasCancelled(_ reason: CancelReason) {}

  /// It is over by itself, and in the books no more.
  func hasEnded(_ outcome: Result<Void, any Error>) {}

  /// It has not run; what ran in its place has ended.
  func leaderHasEnded(_ outcome: Result<Void, any Error>) {}

  /// The work that is waited for by who waited for this one, which is over.
  var awaitedInPlace: Work? { nil }

  /// What it is called in a sentence.
  var description: String { "work" }

  // MARK: - From its start to its end

  final var isEnded: Bool { outcome != nil }
  final var isSettled: Bool { unsettled == 0 }
  /// Whether it is work at all, and not over.
  final var isUnderWay: Bool { !isOver && unsettled > 0 }

  /// Runs up to the first suspension, and on.
  final func start() {
    // A hook that begins work, or makes room for it, does not own the sinks that the work makes.
    guard !isOver, let task = Propagation.withoutWitness({ makeTask() }) else { return }
    if !isOver { self.task = task } else if isCancelled { task.cancel() }
  }

  /// The body has returned or thrown.
  ///
  /// Of work that was cancelled this is no news.
  final func hasReturned(_ outcome: Result<Void, any Error>, in book: WorkBook) {
    guard !isOver else { return }
    isOver = true
    task = nil
    book.remove(self)
    hasEnded(outcome)
    end(outcome)
    book.startNext(after: self)
  }

  /// Ends the work without waiting for its body to return.
  ///
  /// First of all its writes are cut off: what runs on a cancel may write already.
  final func cancel(_ reason: CancelReason) {
    guard !isOver else { return }
    isOver = true
    isCancelled = true
    let task = task.take()
    leader?.hasLost(self)
    wasCancelled(reason)
    end(.failure(CancellationError()), by: reason)
    if let task { Propagation.withoutWitness { task.cancel() } }
  }

  /// Ends the work for its own caller; it goes on for its followers.
  final func abandon() {
    guard outcome == nil else { return }
    isAbandoned = true
    isCancelled = true
    finish(.failure(CancellationError()))
  }

  private final func end(_ outcome: Result<Void, any Error>, by reason: CancelReason? = nil) {
    if self.outcome == nil { finish(outcome) }
    if let company {
      company.workIsOver()
      for follower in company.followers.takeAll() {
        follower.leaderHasEnded(outcome, by: reason)
      }
    }
    settleOne()
  }

  private final func leaderHasEnded(_ outcome: Result<Void, any Error>, by reason: CancelReason?) {
    company?.leader = nil
    guard !isOver else { return }
    isOver = true
    if let reason {
      isCancelled = true
      wasCancelled(reason)
    } else {
      leaderHasEnded(outcome)
    }
    end(outcome, by: reason)
  }

  /// Records the outcome and resumes who waits for it.
  private final func finish(_ outcome: Result<Void, any Error>) {
    self.outcome = outcome
    company?.workHasEnded(outcome, isCancelled: isCancelled)
  }

  private final func settleOne() {
    var settled = hasSettledOne()
    while let work = settled { settled = work.hasSettledOne() }
  }

  /// - Returns: whom this one has kept from settling, if it has now settled.
  private final func hasSettledOne() -> Work? {
    unsettled -= 1
    guard unsettled == 0 else { return nil }
    company?.workHasSettled()
    return parent.take()
  }

  /// An action that ends by dispatching the next one, for ever, must not leave a chain of them.
  ///
  /// An ancestor that has ended, and of which nobody else knows, only stands in the way.
  private final func skipEndedAncestors() {
    while isKnownUniquelyReferenced(&parent), let ended = parent, ended.isEnded,
      ended.unsettled == 1, ended.hasNoCompany
    {
      parent = ended.parent
      ended.parent = nil
    }
  }

  private final var hasNoCompany: Bool {
    company == nil || (isKnownUniquelyReferenced(&company) && company?.onSettle.isEmpty == true)
  }
}

// MARK: - Company

extension Work {
  /// Those who wait for this one and have its outcome (`.join`).
  final var followers: [Work] { company?.followers ?? [] }
  /// The work whose outcome it has in place of running.
  final var leader: Work? { company?.leader }
  /// The work that its body waits for.
  final var awaited: [Work] { company?.awaited ?? [] }

  /// Waits for other work and has its outcome, in place of running.
  final func follow(_ leader: Work) {
    makeCompany().leader = leader
    leader.makeCompany().followers.append(self)
  }

  /// Some of those who have joined it have joined other work from here on.
  final func passFollowers(to other: Work, where isMeant: (Work) -> Bool) {
    guard let company else { return }
    for follower in company.followers.takeAll() {
      follower.follow(isMeant(follower) ? other : self)
    }
  }

  private final func hasLost(_ follower: Work) {
    follower.company?.leader = nil
    company?.followers.removeAll { $0 === follower }
  }

  /// Runs something that waits for other work on behalf of this one's body.
  final func awaiting<Result>(
    _ other: Work, _ wait: @MainActor () async throws -> Result
  ) async rethrows -> Result {
    makeCompany().awaited.append(other)
    defer {
      if let index = awaited.firstIndex(where: { $0 === other }) {
        company?.awaited.remove(at: index)
      }
    }
    return try await wait()
  }

  /// What those have to hold who want to hear of its end.
  final func makeCompany() -> Company {
    if let company { return company }
    let company = Company(isOver ? nil : self, outcome, isCancelled: isCancelled, isSettled)
    self.company = company
    return company
  }
}

/// Why a piece of work was cancelled.
enum CancelReason {
  /// Somebody asked for it, in the course of an event of the store or from outside.
  case requested(by: Int?)
  /// A newcomer of the same name took its place.
  case superseded(by: Work)
  /// It gave way to the work that was there.
  case ignored(for: Work)
  /// The store is gone.
  case closed
}
