/// Admits the work of a store, starts it, and ends it.
///
///     admit ──▶ WorkIndex ──▶ start      work is recorded before it starts (A3)
///     hasReturned ──▶ remove, end, start the next
///     cancel ──▶ remove, cut off, resume callers, start the next
///
/// Work leaves the book when it is cancelled, even if its body has not returned yet (A7).
@MainActor final class WorkBook {
  // Unchecked, here and below, for the reason that `Work` gives.
  @safe @exclusivity(unchecked) var index = WorkIndex()
  /// The callbacks of waiters for an idle book, by the number of the waiter.
  @safe @exclusivity(unchecked) var onIdle: [Int: @MainActor () -> Void] = [:]
  var lastWaiter = 0
  @safe @exclusivity(unchecked) private var order = 0
  var isClosed = false
  let currentEvent: @MainActor () -> Int?
  var follower: (any WorkFollower)?
  /// The executor for the task of the work that is being started, if there is a follower.
  @safe @exclusivity(unchecked) private(set) var followed: (any FollowedWork)?
  /// Work that has left the book and must still be cancelled; a property, because cancelling runs
  /// user code, which may end other work.
  var leaving = Queue<(work: Work, reason: CancelReason)>()
  /// Work that must still be cancelled because its awaiting caller was cancelled.
  var orphans = Queue<(work: Work, reason: CancelReason)>()
  var isEnding = false
  /// The closures that remove the marks of cancelled work.
  var marks: [@MainActor () -> Void] = []
  private var dispatches = 0
  /// The events that were cancelled during the dispatches in progress.
  // Not their settlements, which end with their last handle.
  private var cancelledEvents: [WorkWaiters] = []
  /// Work that has left the book and whose error is being handled.
  var failing: [Work] = []

  /// - Parameter currentEvent: returns the event of the store that causes what happens now.
  init(currentEvent: @escaping @MainActor () -> Int?) { self.currentEvent = currentEvent }

  var count: Int { index.count }

  func isRunning(_ name: WorkName) -> Bool { lane(name) != nil }

  func lane(_ name: WorkName) -> WorkLane? { WorkIndex.lane(of: name) { index } }

  // MARK: - Start

  /// Applies the overlap of new work to work of the same name, and starts it if that says so (A4).
  ///
  /// - Parameter announce: reports the new work before anything is started or cancelled, because
  ///   code that receives the report may cancel the work (A3).
  func admit(_ work: Work, overlap: Overlap, announce: () -> Void) {
    // Found before `order`, because user code compares names, and may dispatch or close the book.
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
    if overlap == .join, let leader = lane?.leader {
      work.join(leader: leader)
      return announce()
    }
    switch overlap {
    case .latest: supersede(lane, with: work, named: name, announce: announce)
    case .queue where lane != nil:
      index.add(work, named: name, to: lane)
      announce()
      // Its turn may have come already, because the report may have ended the work ahead.
      if work.hasTurn {
        start(work)
      } else if !work.isOver {
        work.awaitTurn(MainActorEntry { self.start(work) })
      }
    case .first where lane != nil:
      announce()
      // `announce` may have cancelled the existing work, and with it all work of that name.
      let reason = self.lane(name)?.first.map { CancelReason.ignored(for: $0) }
      work.cancel(reason ?? (isClosed ? .closed : .requested(by: currentEvent())))
    case .first, .join, .queue, .concurrent:
      work.position = order
      index.add(work, named: name, to: lane)
      announce()
      start(work)
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
    let followed = follower.willStart(work.fullDescription, event: work.firstEvent)
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

  /// Runs a dispatch of events, which starts nothing more for those that are cancelled (X7).
  func dispatching(_ body: () -> Void) {
    dispatches += 1
    nested(body)
    dispatches -= 1
    if dispatches == 0, !cancelledEvents.isEmpty { cancelledEvents = [] }
  }

  func noteCancelled(_ event: WorkWaiters) { if dispatches > 0 { cancelledEvents.append(event) } }

  /// Whether an event was cancelled that has led to a piece of work.
  func hasCancelledEvent(before work: Work) -> Bool {
    cancelledEvents.contains { $0.startedWork.map(work.wasStarted) ?? false }
  }

  func startNext(after work: Work) {
    if let lane = work.lane.take() { startQueued(lane) }
    reportIfIdle()
  }

  /// A loop, because in a queue of work that ends at once, recursion would use up the stack.
  private func startQueued(_ lane: WorkLane) {
    guard !lane.isStarting else { return }
    lane.isStarting = true
    while let next = lane.next {
      order += 1
      next.position = order
      next.takeTurn()
    }
    lane.isStarting = false
  }

  // MARK: - Return

  func hasReturned(_ work: Work, _ result: Result<Void, any Error>, after failure: Int? = nil) {
    guard work.hasReturned(result) else { return }
    index.remove(work)
    if work.waiters?.changes != nil { work.endChanges(result) }
    let event = work.hasEnded(result) ?? failure
    let marks = work.waiters?.takeMarks(after: event)
    work.resumeAll(.returned(result))
    startNext(after: work)
    // Removed last, because the next work in the queue may have marked the same properties.
    if let marks { for takeBack in marks { takeBack() } }
  }

  /// Ends work whose body has thrown; `handle` handles the error outside of the book (A8).
  func hasThrown(_ work: Work, _ error: any Error, after event: Int?, _ handle: () -> Void) {
    if work.fail() {
      index.remove(work)
      failing.append(work)
      work.endChanges(.failure(error), after: event)
      if !work.isOver { handle() }
      failing.removeAll { $0 === work }
    }
    hasReturned(work, .failure(error), after: event)
  }
}
