/// Admits the work of a store, starts it, and ends it.
///
///     admit ──▶ WorkIndex ──▶ start      work is recorded before it starts (A3)
///     hasReturned ──▶ remove, end, start the next
///     cancel ──▶ remove, cut off, resume callers, start the next
///
/// Work leaves the book when it is cancelled, even if its body has not returned yet (A7).
@MainActor final class WorkBook {
  // Unchecked, here and below, for the reason that `Work` gives.
  @safe @exclusivity(unchecked) private var index = WorkIndex()
  /// The callbacks of waiters for an idle book, by the number of the waiter.
  @safe @exclusivity(unchecked) var onIdle: [Int: @MainActor () -> Void] = [:]
  var lastWaiter = 0
  @safe @exclusivity(unchecked) private var order = 0
  private var isClosed = false
  private let currentEvent: @MainActor () -> Int?
  /// The object that follows the work of this book, if there is one.
  var follower: (any WorkFollower)?
  /// The executor for the task of the work that is being started, if there is a follower.
  @safe @exclusivity(unchecked) private(set) var followed: (any FollowedWork)?
  /// Work that has left the book and must still be cancelled.
  ///
  /// It is a property because cancelling one piece of work runs user code, which may end other
  /// work.
  private var leaving = Queue<(work: Work, reason: CancelReason)>()
  /// Work that must still be cancelled because its awaiting caller was cancelled.
  private var orphans = Queue<(work: Work, reason: CancelReason)>()
  private var isEnding = false
  /// The closures that remove the marks of cancelled work.
  private var marks: [@MainActor () -> Void] = []
  /// The dispatches of events in progress.
  var dispatches = Dispatches()
  /// Work that has left the book and whose error is being handled.
  private var failing: [Work] = []

  /// - Parameter currentEvent: returns the event of the store that causes what happens now.
  init(currentEvent: @escaping @MainActor () -> Int?) { self.currentEvent = currentEvent }

  /// The number of pieces of work that are running or queued.
  var count: Int { index.count }

  func isRunning(_ name: WorkName) -> Bool { lane(name) != nil }

  func lane(_ name: WorkName) -> WorkLane? { WorkIndex.lane(of: name) { index } }

  // MARK: - Start

  /// Applies the overlap of new work to existing work of the same name, and starts the new work
  /// if the overlap says so (A4).
  ///
  /// - Parameter announce: reports the new work. It is called when the work is in the book, has
  ///   joined other work, or is about to be ignored. Nothing has been started or cancelled by then,
  ///   because code that receives the report may cancel the work (A3).
  func admit(_ work: Work, overlap: Overlap, announce: () -> Void) {
    // Found before the work gets its number, because user code compares names. It may dispatch work
    // of the same name, or release the store.
    let lane = work.name.flatMap { self.lane($0) }
    order += 1
    work.order = order
    guard !isClosed else {
      work.cancel(.closed)
      return
    }
    guard let name = work.name else {
      index.add(work)
      announce()
      return start(work)
    }
    switch overlap.admission(beside: lane) {
    case .starts:
      work.position = order
      index.add(work, named: name, to: lane)
      announce()
      start(work)
    case .supersedes: supersede(lane, with: work, named: name, announce: announce)
    case .joins(let leader):
      work.follow(leader)
      announce()
    case .waits:
      index.add(work, named: name, to: lane)
      announce()
      // Its turn may have come already, because the report may have ended the work ahead.
      if work.hasTurn {
        start(work)
      } else if !work.isOver {
        work.awaitTurn(MainActorEntry { self.start(work) })
      }
    case .givesWay:
      announce()
      // `announce` may have cancelled the existing work, and with it all work of that name.
      let reason = self.lane(name)?.first.map { CancelReason.ignored(for: $0) }
      work.cancel(reason ?? (isClosed ? .closed : .requested(by: currentEvent())))
    }
  }

  private func supersede(
    _ lane: WorkLane?, with work: Work, named name: WorkName, announce: () -> Void
  ) {
    let before = lane.map { index.removeAll(of: $0) } ?? []
    work.position = order
    index.add(work, named: name, to: nil)
    for old in before { leaving.append((old, .superseded(by: work))) }
    announce()
    takingBackMarks {
      endLeaving()
      start(work)
      for takeBack in work.takeInherited() { takeBack() }
    }
    // Released last, because the release of the old name may run user code that calls back.
    withExtendedLifetime(lane) {}
  }

  /// Starts a piece of work, which does not have to be in the book.
  func start(_ work: Work) {
    nested { if let follower { start(work, by: follower) } else { work.start() } }
  }

  private func start(_ work: Work, by follower: any WorkFollower) {
    let followed = follower.willStart(work.description, event: work.firstEvent)
    let outer = exchange(&self.followed, with: followed)
    work.start()
    self.followed = outer
    work.makeWaiters().whenOver { followed.isOver() }
  }

  /// Runs a body that may start work recursively, within the limit of the stack.
  @inline(__always) func nested(_ body: () -> Void) {
    Nesting.enter()
    body()
    Nesting.leave()
  }

  /// Starts the work that was queued behind a piece of work that has left the book.
  private func startNext(after work: Work) {
    if let lane = work.lane.take() { startQueued(lane) }
    reportIfIdle()
  }

  /// Starts queued work whose turn has come.
  ///
  /// A loop, because in a queue of work that ends at once, recursion would use up the stack.
  private func startQueued(_ lane: WorkLane) {
    guard !lane.isStarting else { return }
    lane.isStarting = true
    while let next = lane.next {
      order += 1
      next.position = order
      lane.run(next)
      next.takeTurn()
    }
    lane.isStarting = false
  }

  // MARK: - Return

  /// Ends a piece of work whose body has returned or thrown; does nothing if it is over.
  func hasReturned(_ work: Work, _ result: Result<Void, any Error>) {
    guard work.hasReturned(result) else { return }
    let marks = work.waiters?.takeMarks(after: nil)
    index.remove(work)
    work.hasEnded(result)
    work.resumeAll(.returned(result))
    startNext(after: work)
    // Removed last, because the next work in the queue may have marked the same properties.
    if let marks { for takeBack in marks { takeBack() } }
  }

  /// Ends a piece of work whose body has thrown.
  ///
  /// - Parameter handle: handles the error while the work is out of the book (A8).
  func hasThrown(_ work: Work, _ error: any Error, _ handle: () -> Void) {
    if work.fail() {
      index.remove(work)
      failing.append(work)
      handle()
      failing.removeAll { $0 === work }
    }
    hasReturned(work, .failure(error))
  }

  // MARK: - Cancel

  /// Cancels a piece of work for the caller that started it; does nothing if the work has ended.
  ///
  /// If other callers have joined the work, it goes on for them. If the work has itself joined other
  /// work, that work goes on for its other callers.
  func cancel(_ work: Work) {
    takingBackMarks { cancel(work, .requested(by: currentEvent())) }
  }

  /// Cancels all that an event has started, and all that followed from it (X7).
  ///
  /// What other callers have joined goes on for them.
  func cancel(startedBy event: WorkWaiters) {
    guard let settlement = event.startedWork else { return }
    dispatches.add(event)
    let works = index.all.flatMap { [$0] + ($0.waiters?.followers.values.map(\.self) ?? []) }
      .filter { $0.wasStarted(by: settlement) }
    takingBackMarks {
      let reason = CancelReason.requested(by: currentEvent())
      for work in works { cancel(work, reason) }
    }
  }

  private func cancel(_ work: Work, _ reason: CancelReason) {
    if work.isEnded { return }
    if work.hasFollowers { return abandon(work) }
    guard let leader = work.leader else { return cancelRecorded(work, reason) }
    end([work], reason)
    cancelIfLeft(leader, reason)
  }

  /// Cancels work that goes on for other callers than its own, if there are none left.
  private func cancelIfLeft(_ work: Work, _ reason: CancelReason) {
    if work.isUnderWay, work.isAbandoned, !work.hasFollowers { cancelRecorded(work, reason) }
  }

  /// Cancels several pieces of work for all of their callers.
  ///
  /// All of it leaves the book first, so that none of it starts in the place of another one.
  func cancel(_ works: [Work]) {
    let works = works.filter { !$0.isOver }
    if works.isEmpty { return }
    let leaders = works.compactMap(\.leader)
    for work in works { index.remove(work) }
    takingBackMarks {
      let reason = CancelReason.requested(by: currentEvent())
      end(works, reason)
      for leader in leaders { cancelIfLeft(leader, reason) }
      for work in works { startNext(after: work) }
    }
  }

  private func cancelRecorded(_ work: Work, _ reason: CancelReason) {
    index.remove(work)
    end([work], reason)
    startNext(after: work)
  }

  /// Ends a piece of work for its own caller and continues it for the callers that joined it.
  func abandon(_ work: Work) {
    work.lane?.abandon(work)
    work.abandon()
  }

  /// Cancels a piece of work because the task that awaits it was cancelled.
  ///
  /// - Parameter event: the first event of the work that awaited it; `nil` if the caller is not
  ///   work.
  func callerWasCancelled(_ work: Work, by event: Int?) {
    // Queued, not recursive, because a chain of work in which each awaits the next may be long.
    orphans.append((work, .requested(by: event)))
    if !isEnding { takingBackMarks { endLeaving() } }
  }

  private func end(_ works: [Work], _ reason: CancelReason) {
    for work in works { leaving.append((work, reason)) }
    endLeaving()
  }

  private func endLeaving() {
    let isOutermost = !isEnding
    isEnding = true
    while let next = leaving.popFirst() {
      var marks: [@MainActor () -> Void] = []
      // It may run an `onCancel` that cancels in turn.
      nested { marks = next.work.cancel(next.reason) }
      if case .superseded(let successor) = next.reason, !successor.isOver, !marks.isEmpty {
        successor.inherit(marks)
      } else {
        self.marks += marks
      }
    }
    guard isOutermost else { return }
    while let next = orphans.popFirst() { cancel(next.work, next.reason) }
    isEnding = false
  }

  /// Removes the marks of the work that a body ends, after the body.
  ///
  /// They are removed last because work that starts in the body may mark the same properties.
  private func takingBackMarks(_ body: () -> Void) {
    let outer = marks.takeAll()
    body()
    let ended = marks
    marks = outer
    for takeBack in ended { takeBack() }
  }

  /// Cancels all running and queued work of a name.
  func cancel(_ name: WorkName, by event: Int?) {
    guard let lane = lane(name) else { return }
    let works = index.removeAll(of: lane)
    takingBackMarks {
      end(works, .requested(by: event))
      reportIfIdle()
    }
    withExtendedLifetime(lane) {}
  }

  func cancelAll() {
    takingBackMarks { cancelAll(.requested(by: currentEvent())) }
  }

  private func cancelAll(_ reason: CancelReason) {
    let all = index.removeAll()
    end(all.works, reason)
    reportIfIdle()
    withExtendedLifetime(all) {}
  }

  /// Cancels everything and admits nothing more.
  func close() {
    isClosed = true
    takingBackMarks {
      end(failing.takeAll(), .closed)
      cancelAll(.closed)
    }
  }
}
