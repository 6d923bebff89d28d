/// One action or run, from before it starts until it is over.
///
///     WorkBook ──▶ Work ──▶ Task          is cancelled with the work
///      records it   │ └───▶ followers     work that joined it and takes its outcome
///                   └─────▶ Settlement    of the parent, which settles after this work
///
///     waiting ──▶ running ──▶ over        cancelled and ignored work is over at once, although
///        └───────────┴─────────▲          its body may not have returned yet
///
/// A subclass defines what the work does and calls `hasReturned` when its body has returned. The
/// book cancels it on demand.
@MainActor @usableFromInline class Work {
  /// The stages of work.
  private enum Phase {
    /// Not work but the scope of a hook or of the store, which never starts or ends.
    case resident
    case waiting, running
    /// The body has thrown and the work has left the book. Its error is being handled, and the
    /// handler may still write.
    case failing
    case over
  }

  final let name: WorkName?
  /// How the work ended for its own caller.
  final private(set) var outcome: Result<Void, any Error>?
  final private(set) var isCancelled = false
  /// Whether the work's own caller has cancelled it while it continues for its followers.
  final private(set) var isAbandoned = false

  // Unchecked, like other properties here and in the book. No access encloses another one, and
  // checking each would cost an action as much as everything else that the book does for it.
  @safe @exclusivity(unchecked) private final var phase = Phase.waiting
  /// The number of the work in the order in which the book admitted work.
  @safe @exclusivity(unchecked) final var order = 0
  /// Without a name, the index in the book's list of unnamed work.
  ///
  /// With a name, the number in the order in which work starts, which is zero until the work's turn
  /// has come.
  @safe @exclusivity(unchecked) final var position = 0

  /// The lane of the work's name in the book.
  @safe @exclusivity(unchecked) final var lane: WorkLane?

  private final var task: Task<Void, any Error>?
  /// The handle, the waiters and the marks of the work; `nil` for most work.
  @safe @exclusivity(unchecked) final var waiters: WorkWaiters?
  /// The settlement of the parent; `nil` once `settlement` exists, which then refers to it.
  @safe @exclusivity(unchecked) private final var parent: Settlement?
  /// The settlement of this work, made when the work starts other work or a caller waits for it.
  @safe @exclusivity(unchecked) private final var settlement: Settlement?

  /// - Parameter parent: the work that started this work. It settles after this work.
  init(name: WorkName?, parent: Work?) {
    self.name = name
    if let parent, let settlement = parent.settlementOfBegun() {
      settlement.add()
      self.parent = settlement
    }
  }

  /// Makes the scope of a hook or of the store, which is never in a book and never ends.
  init() {
    name = nil
    phase = .resident
  }

  /// Cancelled work, which stands for work that stale work or a released store did not start.
  static var dropped: Work {
    let work = Work(name: nil, parent: nil)
    work.cancel(.closed)
    return work
  }

  // MARK: - Overridden by subclasses

  /// Starts the body at once in a task; returns `nil` if the body needs no task.
  ///
  /// The task calls `beginBody()` first and reports once how the body ended.
  func makeTask() -> Task<Void, any Error>? { nil }

  /// Cuts the work off, because it was cancelled.
  ///
  /// - Returns: the number of the event that reports the cancel.
  @discardableResult func wasCancelled(_ reason: CancelReason) -> Int? { nil }

  /// Called when running work was cancelled by request, after its waiters have been resumed.
  ///
  /// - Parameter event: the number of the event that reports the cancel.
  func hasBeenCancelled(_ event: Int?) {}

  /// Called when the work has ended on its own and has left the book.
  func hasEnded(_ outcome: Result<Void, any Error>) {}

  /// Called when the work that this work joined has ended on its own.
  func leaderHasEnded(_ outcome: Result<Void, any Error>) {}

  /// The work for which the waiters of this work wait now that this work is over.
  var awaitedInPlace: Work? { nil }
  /// Whether waiters of other work that is over may now wait for this work.
  var isAwaitedInPlace: Bool { false }

  /// The name of the work in messages.
  var description: String { "work" }

  // MARK: - From start to end

  final var isEnded: Bool { outcome != nil }
  /// Whether the work has ended, so that nothing that its body still does has an effect.
  final var isOver: Bool { phase == .over }
  /// Whether this is work that is not over.
  final var isUnderWay: Bool { phase != .resident && phase != .over }
  /// Whether this is work, over or not, and not the scope of a hook or of the store.
  final var isWork: Bool { phase != .resident }
  /// Whether named work is running or about to run.
  final var hasTurn: Bool { position != 0 }

  /// Starts the work and runs it up to its first suspension.
  final func start() {
    guard phase == .waiting else { return }
    // Sinks that the work makes must not belong to a hook that happens to start the work or to end
    // the work before it in the queue.
    if let task = Propagation.withoutOwner({ makeTask() }) {
      if phase == .waiting { startByEntry() } else { keep(task) }
    } else if phase == .waiting {
      phase = .running
    }
  }

  /// Begins the body; returns `false` if the body must not run.
  @inline(__always) final func beginBody() -> Bool {
    guard phase == .waiting else { return false }
    phase = .running
    return true
  }

  /// Makes another task, which begins at once.
  ///
  /// Outside of tasks, the Linux runtime recognizes the main actor by the main thread, but another
  /// thread may run the main queue. In that case the first task begins later, and its `beginBody()`
  /// returns `false`.
  @inline(never) private final func startByEntry() {
    MainActorEntry {
      if let task = Propagation.withoutOwner({ self.makeTask() }) { self.keep(task) }
    }.take()
  }

  @inline(__always) private final func keep(_ task: Task<Void, any Error>) {
    if !isOver { self.task = task } else if isCancelled { task.cancel() }
  }

  /// Handles an error that the body threw while the work is out of the book (A8).
  final func fail(in book: WorkBook, _ handle: () -> Void) {
    phase = .failing
    book.withoutFailing(self, handle)
  }

  /// Ends the work after its body has returned or thrown; does nothing if the work was cancelled.
  final func hasReturned(_ outcome: Result<Void, any Error>, in book: WorkBook) {
    guard !isOver else { return }
    phase = .over
    task = nil
    let marks = waiters?.takeMarks(after: nil)
    book.remove(self)
    hasEnded(outcome)
    end(outcome)
    book.startNext(after: self)
    // Removed last, because the next work in the queue may have marked the same properties.
    if let marks { for takeBack in marks { takeBack() } }
  }

  /// Ends the work without waiting for its body to return.
  ///
  /// The work's writes are cut off first, because code that runs on a cancel may already write.
  ///
  /// - Returns: closures that remove the work's marks.
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

  /// Ends the work for its own caller and continues it for its followers.
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
    // Determined before the waiters are resumed. A handle that is made after this point cannot wait
    // for the work to settle.
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

  /// Records the outcome and resumes the callers that wait for it.
  private final func finish(_ outcome: Result<Void, any Error>) {
    self.outcome = outcome
    waiters?.workHasEnded(outcome, isCancelled: isCancelled)
  }

  /// Returns the settlement of this work, which is made if necessary.
  final func makeSettlement() -> Settlement {
    if let settlement { return settlement }
    let settlement = Settlement(parent: parent.take()?.current)
    self.settlement = settlement
    return settlement
  }

  /// The settlement that counts the work that this work starts; `nil` if this is not work or has
  /// settled.
  private final func settlementOfBegun() -> Settlement? {
    switch phase {
    case .resident: nil
    case .waiting, .running, .failing: makeSettlement().current
    case .over: settlement?.current
    }
  }
}
