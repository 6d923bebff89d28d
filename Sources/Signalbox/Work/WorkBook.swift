/// Records the running and queued work of a store, by name.
///
///     book ──▶ lane "search"   B runs, C and D are queued
///          ──▶ lane "upload"   E and F run
///          ──▶ unnamed  [ G, H ]   each knows its position
///
/// Work enters the book before it starts, so a cancel cannot come too early (A3). It leaves the
/// book when it is cancelled, even if its body has not returned yet (A7). Work is removed by
/// identity and not by name, so late work cannot remove its successor.
@MainActor final class WorkBook {
  private var lanes = LaneIndex()
  // Unchecked, here and below, for the reason that `Work` gives.
  @safe @exclusivity(unchecked) private var unnamed: [Work] = []
  /// The callbacks of waiters for an idle book, by the number of the waiter.
  @safe @exclusivity(unchecked) private var onIdle: [Int: @MainActor () -> Void] = [:]
  private var lastWaiter = 0
  @safe @exclusivity(unchecked) private var order = 0
  private var isClosed = false
  private let currentEvent: @MainActor () -> Int?
  /// Starts work in place of the book, if the store has a follower.
  var follow: (@MainActor (Work) -> Void)?
  /// Called when a caller starts to wait; returns a closure to call when the wait ends.
  var willWait: (@MainActor () -> @MainActor () -> Void)?
  /// Work that has left the book and must still be cancelled.
  ///
  /// It is a property because cancelling one piece of work runs user code, which may end other
  /// work.
  private var leaving: ArraySlice<(work: Work, reason: CancelReason)> = []
  /// Work whose awaiting caller was cancelled while other work was being ended.
  private var orphans: ArraySlice<(work: Work, reason: CancelReason)> = []
  private var isEnding = false
  /// The closures that remove the marks of cancelled work.
  private var marks: [@MainActor () -> Void] = []
  /// Work that has left the book and whose error is being handled.
  private var failing: [Work] = []

  /// The number of pieces of work that are running or queued.
  @safe @exclusivity(unchecked) private(set) var count = 0

  /// - Parameter currentEvent: returns the event of the store that causes what happens now.
  init(currentEvent: @escaping @MainActor () -> Int?) { self.currentEvent = currentEvent }

  func isRunning(_ name: WorkName) -> Bool { lane(name) != nil }

  func lane(_ name: WorkName) -> WorkLane? { LaneIndex.find(name) { lanes } }

  /// Applies the overlap of new work to existing work of the same name, and starts the new work
  /// if the overlap says so (A4).
  ///
  /// - Parameter announce: reports the new work. It is called when the work is in the book, before
  ///   anything else happens, because code that receives the report may cancel the work (A3).
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
      work.position = unnamed.count
      unnamed.append(work)
      count += 1
      announce()
      return start(work)
    }
    let isAlone = lane == nil
    switch overlap {
    case .latest:
      // Released last, because the release of the old name may run user code that calls back.
      defer { withExtendedLifetime(lane) {} }
      let before = lane?.takeAll() ?? []
      if let lane { lanes.remove(lane) }
      add(work, to: nil, runs: true)
      count -= before.count
      leaving += before.map { ($0, .superseded(by: work)) }
      announce()
      return takingBackMarks {
        endLeaving()
        start(work)
        for takeBack in work.takeInherited() { takeBack() }
      }
    case .first where !isAlone:
      announce()
      // `announce` may have cancelled the existing work, and with it all work of that name.
      let reason = self.lane(name)?.first.map { CancelReason.ignored(for: $0) }
      work.cancel(reason ?? (isClosed ? .closed : .requested(by: currentEvent())))
      return
    case .queue where !isAlone:
      add(work, to: lane, runs: false)
      work.awaitTurn(MainActorEntry { self.start(work) })
      return announce()
    case .first, .join, .queue, .concurrent:
      if case .join = overlap, let leader = lane?.leader {
        work.follow(leader)
        return announce()
      }
      add(work, to: lane, runs: true)
      announce()
    }
    start(work)
  }

  /// Adds work to the lane of its name.
  ///
  /// - Parameter lane: the lane; `nil` if there is none yet.
  private func add(_ work: Work, to lane: WorkLane?, runs: Bool) {
    if runs { work.position = order }
    if let lane {
      lane.add(work)
    } else if let name = work.name {
      let lane = WorkLane(name)
      lane.add(work)
      lanes.add(lane)
    }
    count += 1
  }

  /// Starts a piece of work, which does not have to be in the book.
  func start(_ work: Work) {
    nested { if let follow { follow(work) } else { work.start() } }
  }

  /// Runs a body that may start work recursively, within the limit of the stack.
  @inline(__always) func nested(_ body: () -> Void) {
    Nesting.enter()
    body()
    Nesting.leave()
  }

  /// Cancels a piece of work on behalf of its own caller; does nothing if the work has ended.
  ///
  /// Work that others have joined is left to them. Work that has joined other work leaves that work
  /// to its other callers.
  func cancel(_ work: Work) {
    takingBackMarks { cancel(work, .requested(by: currentEvent())) }
  }

  private func cancel(_ work: Work, _ reason: CancelReason) {
    if work.isEnded { return }
    if work.hasFollowers { return abandon(work) }
    guard let leader = work.leader else {
      remove(work)
      end([work], reason)
      return startNext(after: work)
    }
    end([work], reason)
    guard leader.isAbandoned, !leader.hasFollowers else { return }
    remove(leader)
    end([leader], reason)
    startNext(after: leader)
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
    leaving += works.map { ($0, reason) }
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
    leaving = []
    guard isOutermost else { return }
    while let next = orphans.popFirst() { cancel(next.work, next.reason) }
    orphans = []
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
    lanes.remove(lane)
    let works = lane.takeAll()
    count -= works.count
    takingBackMarks {
      end(works, .requested(by: event))
      reportIfIdle()
    }
  }

  func cancelAll() {
    takingBackMarks { cancelAll(.requested(by: currentEvent())) }
  }

  private func cancelAll(_ reason: CancelReason) {
    let (lanes, unnamed) = (lanes, unnamed)
    self.lanes = LaneIndex()
    self.unnamed = []
    count = 0
    end((lanes.all.flatMap { $0.takeAll() } + unnamed).sorted { $0.order < $1.order }, reason)
    reportIfIdle()
  }

  /// Cancels everything and admits nothing more.
  func close() {
    isClosed = true
    takingBackMarks {
      end(failing.takeAll(), .closed)
      cancelAll(.closed)
    }
  }

  /// Calls a closure as soon as no work is running or queued, which may be now.
  ///
  /// - Returns: the number of the waiter, for `stopWaiting(_:)`.
  func whenIdle(_ body: @escaping @MainActor () -> Void) -> Int {
    lastWaiter += 1
    if count == 0 { body() } else { onIdle[lastWaiter] = body }
    return lastWaiter
  }

  func stopWaiting(_ waiter: Int) { onIdle.removeValue(forKey: waiter) }

  /// Handles the error of a piece of work while the work is out of the book (A8).
  func withoutFailing(_ work: Work, _ handle: () -> Void) {
    remove(work)
    failing.append(work)
    handle()
    failing.removeAll { $0 === work }
  }

  /// Takes a piece of work out of the book.
  func remove(_ work: Work) {
    guard work.name != nil else {
      let position = work.position
      guard position < unnamed.count, unnamed[position] === work else { return }
      count -= 1
      let last = unnamed.removeLast()
      guard last !== work else { return }
      last.position = position
      unnamed[position] = last
      return
    }
    guard let lane = work.lane, lane.remove(work) else { return }
    count -= 1
    if lane.isEmpty { lanes.remove(lane) }
  }

  /// Starts the work that was queued behind a piece of work that has left the book.
  func startNext(after work: Work) {
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

  private func reportIfIdle() {
    guard count == 0, !onIdle.isEmpty else { return }
    let waiting = onIdle
    onIdle = [:]
    for (_, body) in waiting.sorted(by: { $0.key < $1.key }) { body() }
  }
}
