/// What runs in a store, and under which name.
///
///     book ──▶ lane "search"   B runs, C and D are queued
///          ──▶ lane "upload"   E and F run
///          ──▶ unnamed  [ G, H ]   each knows its position
///
/// Work is in the book from before it starts, so that no cancel comes too early (A3), and leaves
/// it the moment it is cancelled, not when it gets round to returning (A7). An entry is found by
/// identity and not only by name: late work cannot remove its successor's.
@MainActor final class WorkBook {
  private var lanes = LaneIndex()
  // Unchecked for the reason that `Work` gives.
  @safe @exclusivity(unchecked) private var unnamed: [Work] = []
  /// Who waits until nothing is running, each under a number of its own.
  @safe @exclusivity(unchecked) private var onIdle: [Int: @MainActor () -> Void] = [:]
  private var lastWaiter = 0
  @safe @exclusivity(unchecked) private var order = 0
  private var isClosed = false
  private let currentEvent: @MainActor () -> Int?
  /// Starts work, in place of the book, if somebody follows it.
  var follow: (@MainActor (Work) -> Void)?
  /// Is told that somebody begins to wait; gives what is to be called at the end of the wait.
  var willWait: (@MainActor () -> @MainActor () -> Void)?
  /// Out of the book and yet to be ended: whatever happens in between, none is forgotten.
  private var leaving: ArraySlice<(work: Work, reason: CancelReason)> = []
  /// Whose awaiting caller was cancelled while others were being ended.
  private var orphans: ArraySlice<(work: Work, reason: CancelReason)> = []
  private var isEnding = false
  /// What takes back the marks of what was cancelled.
  private var marks: [@MainActor () -> Void] = []
  /// Out of the book, while their errors are being handled.
  private var failing: [Work] = []

  /// How many are running or queued.
  @safe @exclusivity(unchecked) private(set) var count = 0

  /// - Parameter currentEvent: the event of the store in the course of which something happens.
  init(currentEvent: @escaping @MainActor () -> Int?) { self.currentEvent = currentEvent }

  func isRunning(_ name: WorkName) -> Bool { lane(name) != nil }

  func lane(_ name: WorkName) -> WorkLane? { LaneIndex.find(name) { lanes } }

  /// Does what the overlap says about work of the same name, and starts the newcomer (A4).
  ///
  /// - Parameter announce: is called when the newcomer is in the book, before anything else
  ///   happens on its account: who hears of it may cancel it (A3).
  func admit(_ work: Work, overlap: Overlap, announce: () -> Void) {
    // Before the work has its place in the order: names are compared by code of the user's, which
    // may come back to the book, or close it.
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
      // Held for long enough: the old name may come back here when it is released.
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
      // Who heard of it may have cancelled what was there, and so all of that name.
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

  /// - Parameter lane: that of its name; `nil` if there is none.
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

  /// Starts a piece of work, be it in the book or not.
  func start(_ work: Work) {
    nested { if let follow { follow(work) } else { work.start() } }
  }

  /// Runs what may start work within work, and that again.
  @inline(__always) func nested(_ body: () -> Void) {
    Nesting.enter()
    body()
    Nesting.leave()
  }

  /// Ends a piece of work on behalf of its caller; not an error if it has ended.
  ///
  /// Work that others have joined is left to them, and one that has joined leaves it to the others.
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

  /// Ends a piece of work for its own caller; it goes on for those who have joined it.
  func abandon(_ work: Work) {
    work.lane?.abandon(work)
    work.abandon()
  }

  /// Cancels a piece of work because the task that awaits it was.
  ///
  /// - Parameter event: the beginning of the work that awaited it, if it was work.
  func callerWasCancelled(_ work: Work, by event: Int?) {
    // One after the other, for a chain of those who await one another may be long.
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

  /// Takes back the marks of what a body ends when that is done: what starts in its place may mark
  /// the same.
  private func takingBackMarks(_ body: () -> Void) {
    let outer = marks.takeAll()
    body()
    let ended = marks
    marks = outer
    for takeBack in ended { takeBack() }
  }

  /// Ends all work of a name, running and queued.
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

  /// Calls back when nothing is running or queued: now, or as soon as that is so.
  ///
  /// - Returns: by what to give up the wait.
  func whenIdle(_ body: @escaping @MainActor () -> Void) -> Int {
    lastWaiter += 1
    if count == 0 { body() } else { onIdle[lastWaiter] = body }
    return lastWaiter
  }

  func stopWaiting(_ waiter: Int) { onIdle.removeValue(forKey: waiter) }

  /// Runs what handles the error of a piece of work, as if the work was gone.
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

  /// A piece of work is out of the book: what waited for it may start.
  func startNext(after work: Work) {
    if let lane = work.lane.take() { startQueued(lane) }
    reportIfIdle()
  }

  /// A loop, for a queue of work that ends at once.
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
