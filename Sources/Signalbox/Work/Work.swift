/// One piece of work: an action or a run, from before it starts until nothing is left of it.
///
///     WorkBook ──▶ Work ──▶ Task          is cancelled with it
///       who runs    │ └───▶ followers     those who joined it, and have its outcome
///                   └─────▶ Settlement    of the work that began it, and settles no sooner
///
///     queued ──▶ running ──▶ over         cancelled and ignored work is over at once, although
///        └──────────┴─────────▲           its body may still be on its way to returning
///
/// What it does is for a subclass to say. The book ends it on demand; the subclass tells when its
/// body has returned.
@MainActor @usableFromInline class Work {
  /// How far it has come.
  private enum Phase {
    /// It is no work: it was always there, and never ends.
    case resident
    case waiting, running
    /// Its body has thrown, and it is out of the book; who handles the error may still write.
    case failing
    case over
  }

  final let name: WorkName?
  /// How it ended for its own caller.
  final private(set) var outcome: Result<Void, any Error>?
  final private(set) var isCancelled = false
  /// Its own caller has cancelled it; it goes on for its followers.
  final private(set) var isAbandoned = false

  // Unchecked, as others here and in the book: no access encloses another, and to check each would
  // cost an action as much as all that the book does for it.
  @safe @exclusivity(unchecked) private final var phase = Phase.waiting
  /// Its number among all work of its book.
  @safe @exclusivity(unchecked) final var order = 0
  /// Where the book has it, if it has no name; else its number among all that have started, and
  /// zero until its turn has come.
  @safe @exclusivity(unchecked) final var position = 0

  /// Where the book has it, if it has a name.
  @safe @exclusivity(unchecked) final var lane: WorkLane?

  private final var task: Task<Void, any Error>?
  /// A handle, who waits for it, for whom it waits: most have none of these.
  @safe @exclusivity(unchecked) private final var waiters: WorkWaiters?
  /// That of the work that began it; it has gone into its own, if there is one.
  @safe @exclusivity(unchecked) private final var parent: Settlement?
  /// Made when it begins other work, or is asked for.
  @safe @exclusivity(unchecked) private final var settlement: Settlement?

  /// - Parameter parent: the work that began this one, and settles no sooner.
  init(name: WorkName?, parent: Work?) {
    self.name = name
    if let parent, let settlement = parent.settlementOfBegun() {
      settlement.add()
      self.parent = settlement
    }
  }

  /// What is there without having begun, and never ends: it is in no book.
  init() {
    name = nil
    phase = .resident
  }

  /// Work that a stale writer or a store that is gone was asked for: it has been cancelled.
  static var dropped: Work {
    let work = Work(name: nil, parent: nil)
    work.cancel(.closed)
    return work
  }

  // MARK: - What it does

  /// Starts at once, in a task that asks `beginBody()` and tells the work, once, how it went; `nil` if
  /// there is no need of a task.
  func makeTask() -> Task<Void, any Error>? { nil }

  /// From here on nothing that it does counts.
  ///
  /// - Returns: the event that tells of it.
  @discardableResult func wasCancelled(_ reason: CancelReason) -> Int? { nil }

  /// It had begun, and has been cancelled by request; all that ends with it has ended.
  func hasBeenCancelled(_ event: Int?) {}

  /// It is over by itself, and in the books no more.
  func hasEnded(_ outcome: Result<Void, any Error>) {}

  /// It has not run; what ran in its place has ended.
  func leaderHasEnded(_ outcome: Result<Void, any Error>) {}

  /// The work that is waited for by who waited for this one, which is over.
  var awaitedInPlace: Work? { nil }
  /// Whether who waits for other work, which is over, may wait for this one.
  var isAwaitedInPlace: Bool { false }

  /// What it is called in a sentence.
  var description: String { "work" }

  // MARK: - From its start to its end

  final var isEnded: Bool { outcome != nil }
  /// Nothing that its body still does counts.
  final var isOver: Bool { phase == .over }
  /// Whether it is work at all, and not over.
  final var isUnderWay: Bool { phase != .resident && phase != .over }
  /// Whether it is work, over or not.
  final var isWork: Bool { phase != .resident }
  /// Whether work that has a name runs, or is about to.
  final var hasTurn: Bool { position != 0 }

  /// Runs up to the first suspension, and on.
  final func start() {
    guard phase == .waiting else { return }
    // A hook that begins work, or makes room for it, does not own the sinks that the work makes.
    if let task = Propagation.withoutOwner({ makeTask() }) {
      if phase == .waiting { startByEntry() } else { keep(task) }
    } else if phase == .waiting {
      phase = .running
    }
  }

  /// Whether the body is to run: what a task asks first of all.
  @inline(__always) final func beginBody() -> Bool {
    guard phase == .waiting else { return false }
    phase = .running
    return true
  }

  /// Makes another task, which begins at once.
  ///
  /// Outside of tasks the runtime of Linux knows the main actor by the main thread, which may not be
  /// the one that runs the main queue. There the first task begins later, and finds that it is too
  /// late.
  @inline(never) private final func startByEntry() {
    MainActorEntry {
      if let task = Propagation.withoutOwner({ self.makeTask() }) { self.keep(task) }
    }.take()
  }

  @inline(__always) private final func keep(_ task: Task<Void, any Error>) {
    if !isOver { self.task = task } else if isCancelled { task.cancel() }
  }

  /// The body has thrown: who handles the error does so as if the work was gone.
  final func fail(in book: WorkBook, _ handle: () -> Void) {
    phase = .failing
    book.withoutFailing(self, handle)
  }

  /// The body has returned or thrown.
  ///
  /// Of work that was cancelled this is no news.
  final func hasReturned(_ outcome: Result<Void, any Error>, in book: WorkBook) {
    guard !isOver else { return }
    phase = .over
    task = nil
    let marks = waiters?.takeMarks(after: nil)
    book.remove(self)
    hasEnded(outcome)
    end(outcome)
    book.startNext(after: self)
    // At last: who takes its place may have marked the same.
    if let marks { for takeBack in marks { takeBack() } }
  }

  /// Ends the work without waiting for its body to return.
  ///
  /// First of all its writes are cut off: what runs on a cancel may write already.
  ///
  /// - Returns: what takes back its marks.
  @discardableResult final func cancel(_ reason: CancelReason) -> [@MainActor () -> Void] {
    guard !isOver else { return [] }
    let wasRunning = phase == .running
    phase = .over
    isCancelled = true
    let task = task.take()
    leader?.hasLost(self)
    let event = wasCancelled(reason)
    let marks = waiters?.takeMarks(after: event) ?? []
    end(.failure(CancellationError()), by: reason)
    if let task { Propagation.withoutOwner { task.cancel() } }
    if wasRunning, case .requested = reason { hasBeenCancelled(event) }
    return marks
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
    if waiters != nil { leaveWaiters(outcome, by: reason) } else { settle(isHeld: false) }
  }

  private final func leaveWaiters(_ outcome: Result<Void, any Error>, by reason: CancelReason?) {
    // A handle that comes now is too late for what it could ask.
    let isHeld = !isKnownUniquelyReferenced(&waiters)
    guard let waiters = waiters.take() else { return }
    waiters.workIsOver(isHeld ? settlement : nil)
    for follower in waiters.takeFollowers() { follower.leaderHasEnded(outcome, by: reason) }
    waiters.turn.take()?.giveUp()
    settle(isHeld: isHeld)
  }

  private final func settle(isHeld: Bool) {
    if let settlement { settlement.workIsOver(isHeld: isHeld) } else { parent.take()?.settleOne() }
  }

  private final func leaderHasEnded(_ outcome: Result<Void, any Error>, by reason: CancelReason?) {
    waiters?.leader = nil
    guard !isOver else { return }
    phase = .over
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
    waiters?.workHasEnded(outcome, isCancelled: isCancelled)
  }

  /// What has to end before it has settled.
  final func makeSettlement() -> Settlement {
    if let settlement { return settlement }
    let settlement = Settlement(parent: parent.take()?.current)
    self.settlement = settlement
    return settlement
  }

  /// Where the work that it begins is counted; `nil` if it is no work, or has settled.
  private final func settlementOfBegun() -> Settlement? {
    switch phase {
    case .resident: nil
    case .waiting, .running, .failing: makeSettlement().current
    case .over: settlement?.current
    }
  }
}

// MARK: - Company

extension Work {
  /// Whether others wait for this one and have its outcome (`.join`).
  final var hasFollowers: Bool { waiters?.followers.isEmpty == false }
  /// The work whose outcome it has in place of running.
  final var leader: Work? { waiters?.leader }
  /// The work that its body waits for.
  final var awaited: [Work] { waiters.map { Array($0.awaited.values) } ?? [] }
  /// Whether the body of other work waits for it.
  final var isAwaited: Bool { waiters.map { $0.awaiters > 0 } ?? false }

  /// Waits for other work and has its outcome, in place of running.
  final func follow(_ leader: Work) {
    makeWaiters().leader = leader
    leader.makeWaiters().followers[order] = self
  }

  /// Keeps something up until it is over; once, however often it is marked.
  final func keepUp(_ keyPath: AnyKeyPath, _ mark: () -> Mark) {
    let waiters = makeWaiters()
    guard !waiters.has(keyPath) else { return }
    let mark = mark()
    // The index of a key path is hashed by code of the user's, which may have ended the work.
    if isOver { mark.takeBack(nil) } else { waiters.add(mark) }
  }

  /// Takes over the marks of work that it has superseded, until it has run to its first suspension.
  final func inherit(_ marks: [@MainActor () -> Void]) { makeWaiters().inherit(marks) }

  final func takeInherited() -> [@MainActor () -> Void] { waiters?.takeInherited() ?? [] }

  /// Is queued, and starts by the entry.
  final func awaitTurn(_ turn: MainActorEntry) { makeWaiters().turn = turn }

  final func takeTurn() { waiters?.turn.take()?.take() }

  /// Some of those who have joined it have joined other work from here on.
  final func passFollowers(to other: Work, where isMeant: (Work) -> Bool) {
    guard let waiters else { return }
    for follower in waiters.takeFollowers() {
      follower.follow(isMeant(follower) ? other : self)
    }
  }

  private final func hasLost(_ follower: Work) {
    follower.waiters?.leader = nil
    waiters?.followers.removeValue(forKey: follower.order)
  }

  /// Runs something that waits for other work on behalf of this one's body.
  final func awaiting<Result>(
    _ other: Work, _ wait: @MainActor () async throws -> Result
  ) async rethrows -> Result {
    makeWaiters().awaited[other.order] = other
    other.makeWaiters().awaiters += 1
    defer {
      waiters?.awaited.removeValue(forKey: other.order)
      other.waiters?.awaiters -= 1
    }
    return try await wait()
  }

  /// What those have to hold who want to hear of its end.
  final func makeWaiters() -> WorkWaiters {
    if let waiters { return waiters }
    if isOver { return WorkWaiters(nil, outcome, isCancelled: isCancelled) }
    let waiters = WorkWaiters(self, outcome, isCancelled: isCancelled)
    self.waiters = waiters
    return waiters
  }
}
