/// What is done in a store by one action or run, from before it starts until it is over.
///
///     WorkBook ──▶ Work ──▶ WorkLife      its stage, and what each event leads to
///      records it   │ └───▶ Task          is cancelled with the work
///                   │ └───▶ WorkWaiters   its callers, and work that joined it
///                   └─────▶ Settlement    of the parent, which settles after this work
///
/// A subclass defines what the work does and tells the book when its body has returned.
@MainActor @usableFromInline class Work {
  final let name: WorkName?

  // Unchecked, like other properties here and in the book. No access encloses another one, and
  // checking each would cost an action as much as everything else that the book does for it.
  @safe @exclusivity(unchecked) final private(set) var life: WorkLife

  /// The number of the work in the order in which the book admitted work.
  @safe @exclusivity(unchecked) final var order = 0
  /// Without a name, the index in the book's list of unnamed work; with a name, the number in the
  /// order of starts, which is zero until the work's turn has come.
  @safe @exclusivity(unchecked) final var position = 0
  @safe @exclusivity(unchecked) final var lane: WorkLane?

  private final var task: Task<Void, any Error>?
  @safe @exclusivity(unchecked) private final var failure: (any Error)?
  /// The handle, the waiters and the marks of the work; `nil` for most work.
  @safe @exclusivity(unchecked) final var waiters: WorkWaiters?
  /// The settlement of the parent; `nil` once `settlement` exists, which then refers to it.
  @safe @exclusivity(unchecked) private final var parent: Settlement?
  /// The settlement of this work, made when the work starts other work or a caller waits for it.
  @safe @exclusivity(unchecked) private final var settlement: Settlement?

  /// - Parameter parent: the work that started this work. It settles after this work.
  init(name: WorkName?, parent: Work?) {
    self.name = name
    life = .waiting(.waits)
    if let parent, parent.mayEnd || parent.settlement != nil,
      let settlement = parent.settlementOfBegun()
    {
      settlement.add()
      self.parent = settlement
    }
  }

  init() {
    name = nil
    life = .unending
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
  /// The body calls `begin()` first and tells the book once how it ended.
  func makeTask() -> Task<Void, any Error>? { nil }

  /// Cuts the cancelled work off; returns the number of the event that reports the cancel.
  @discardableResult func wasCancelled(_ reason: CancelReason) -> Int? { nil }

  /// Called when running work was cancelled by request, after its waiters have been resumed.
  func hasBeenCancelled(_ event: Int?) {}

  /// Called when the work has ended on its own and has left the book; returns the number of the event
  /// that reports the end.
  func hasEnded(_ result: Result<Void, any Error>) -> Int? { nil }

  /// Called when the work that this work joined has ended on its own.
  func leaderHasEnded(_ result: Result<Void, any Error>) {}

  /// The work for which the waiters of this work wait now that this work is over.
  var awaitedInPlace: Work? { nil }
  /// Whether waiters of other work that is over may now wait for this work.
  var isAwaitedInPlace: Bool { false }

  var description: String { "work" }
  /// The same, with the place of a child, for the follower.
  var fullDescription: String { description }

  /// The number of the first event of the work; `nil` if the store made no events then.
  var firstEvent: Int? { nil }

  // MARK: - What it is

  /// How the work ended for its own caller.
  final var outcome: WorkOutcome? {
    switch life.end {
    case .returned: .returned(failure.map { .failure($0) } ?? .success(()))
    case .cancelled: .cancelled
    case nil: nil
    }
  }
  final var isEnded: Bool { life.end != nil }
  /// Whether nothing that the body still does has an effect.
  final var isOver: Bool { life.isOver }
  final var isUnderWay: Bool { mayEnd && !isOver }
  /// Whether this is work that ends, as an action or a run does, or has ended.
  final var mayEnd: Bool { if case .unending = life { false } else { true } }
  /// Whether it was cancelled for its own caller; it may go on for the callers that joined it.
  final var isAbandoned: Bool { life.end == .cancelled }
  /// Whether named work is running or about to run.
  final var hasTurn: Bool { position != 0 }

  // MARK: - From start to end

  @inline(__always) private final func take(_ event: WorkLife.Event) -> WorkLife.Answer {
    life.take(event)
  }

  /// Starts the work and runs it up to its first suspension.
  final func start() {
    guard case .waiting = life else { return }
    // Sinks of the work must not belong to a hook that starts it or ends the work before it.
    guard let task = Propagation.withoutOwner({ makeTask() }) else { return }
    if case .waiting = life { startByEntry(instead: task) } else { keep(task) }
  }

  /// Begins the body; returns `false` if the body must not run.
  @inline(__always) final func begin() -> Bool {
    if case .runBody = take(.began) { true } else { false }
  }

  /// Makes another task, which begins at once.
  ///
  /// Outside of tasks, the Linux runtime recognises the main actor by the main thread, but another
  /// thread may run the main queue. The first task then begins later. If it begins before the other
  /// one, it runs the body, so it is cancelled with the work as well.
  @inline(never) private final func startByEntry(instead first: Task<Void, any Error>) {
    makeWaiters().firstTask = first
    MainActorEntry {
      if let task = Propagation.withoutOwner({ self.makeTask() }) { self.keep(task) }
    }.take()
  }

  @inline(__always) private final func keep(_ task: Task<Void, any Error>) {
    switch life {
    case .unending, .waiting, .running, .failing: self.task = task
    case .over(.cancelled): task.cancel()
    case .over(.returned): break
    }
  }

  /// Records that the body has thrown; returns `false` if the error must not be handled.
  final func fail() -> Bool { if case .handleError = take(.failed) { true } else { false } }

  /// Records that the body has returned or thrown; returns `false` if the work was over already.
  @inline(__always) final func hasReturned(_ result: Result<Void, any Error>) -> Bool {
    guard case .end = take(.returned) else { return false }
    if case .failure(let error) = result { failure = error }
    task = nil
    return true
  }

  /// Ends the work at once; returns what removes its marks, and its changes if it was superseded.
  ///
  /// Its writes are cut off first, because code that runs on a cancel may already write.
  @discardableResult final func cancel(_ reason: CancelReason) -> [@MainActor () -> Void] {
    guard case .end(let wasRunning) = take(.cancelled) else { return [] }
    let tasks = (task.take(), waiters?.firstTask.take())
    leader?.hasLost(self)
    let event = wasCancelled(reason)
    var marks = waiters?.takeMarks(after: event) ?? []
    if waiters?.changes != nil { marks += cancelChanges(reason, after: event) }
    resumeAll(.cancelled, by: reason)
    if let task = tasks.0 { Propagation.withoutOwner { task.cancel() } }
    if let task = tasks.1 { Propagation.withoutOwner { task.cancel() } }
    if wasRunning, case .requested = reason { hasBeenCancelled(event) }
    return marks
  }

  /// Ends the work for its own caller and continues it for the callers that joined it.
  final func abandon() {
    if case .answerCaller = take(.callerLeft) { waiters?.workHasEnded(.cancelled) }
  }

  private final func leaderHasEnded(_ outcome: WorkOutcome, by reason: CancelReason?) {
    waiters?.leader = nil
    guard case .end = take(.leaderEnded(outcome.isCancelled ? .cancelled : .returned)) else {
      return
    }
    switch outcome {
    case .cancelled: if let reason { wasCancelled(reason) }
    case .returned(let result):
      if case .failure(let error) = result { failure = error }
      leaderHasEnded(result)
    }
    resumeAll(outcome, by: reason)
  }

  /// Resumes everything that waits for work that is over; `outcome` is for callers that joined it.
  final func resumeAll(_ outcome: WorkOutcome, by reason: CancelReason? = nil) {
    guard waiters != nil else { return settle(isHeld: false) }
    waiters?.workHasEnded(life.end == .cancelled ? .cancelled : outcome)
    // Determined before user code runs, because a later handle cannot wait for the work to settle.
    let isHeld = !isKnownUniquelyReferenced(&waiters)
    guard let waiters = waiters.take() else { return }
    waiters.workIsOver(isHeld ? settlement : nil)
    for joined in waiters.takeJoined() { joined.leaderHasEnded(outcome, by: reason) }
    waiters.turn.take()?.giveUp()
    settle(isHeld: isHeld)
  }

  // MARK: - Settlement

  private final func settle(isHeld: Bool) {
    if let settlement { settlement.workIsOver(isHeld: isHeld) } else { parent.take()?.settleOne() }
  }

  final func makeSettlement() -> Settlement {
    if let settlement { return settlement }
    let settlement = Settlement(parent: parent.take()?.current)
    self.settlement = settlement
    return settlement
  }

  final var startedWork: Settlement? { settlement }

  /// Whether this work, or the work that led to it, was started by the work of a settlement.
  final func wasStarted(by other: Settlement) -> Bool {
    (settlement ?? parent)?.leads(to: other) ?? false
  }

  /// Makes other work settle only after what this work, which never ends, starts on its behalf.
  final func startWork(for other: Work) { settlement = other.settlementOfBegun() }

  /// The settlement that counts the work that this work starts; `nil` if none is open.
  private final func settlementOfBegun() -> Settlement? {
    // What follows from the end of the work counts for the parent, which is still open then.
    isUnderWay ? makeSettlement().current : (settlement ?? parent)?.current
  }
}
