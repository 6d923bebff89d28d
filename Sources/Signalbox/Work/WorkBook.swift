/// What runs in a store, and under which name.
///
///     book ──▶ lane "search"   running [ B ]      queued [ C, D ]
///          ──▶ lane "upload"   running [ E, F ]   queued [ ]
///          ──▶ unnamed  [ G, H ]   each knows its position
///
/// Work is in the book from before it starts, so that no cancel comes too early (A3), and leaves
/// it the moment it is cancelled, not when it gets round to returning (A7). An entry is found by
/// identity and not only by name: late work cannot remove its successor's.
@MainActor final class WorkBook {
  @MainActor private struct Lane {
    var running: [Work] = []
    var queued: ArraySlice<Work> = []
    var all: [Work] { running + queued }
    var isEmpty: Bool { running.isEmpty && queued.isEmpty }

    mutating func remove(_ work: Work) -> Bool {
      if let index = running.firstIndex(where: { $0 === work }) {
        running.remove(at: index)
      } else if let index = queued.firstIndex(where: { $0 === work }) {
        queued.remove(at: index)
      } else {
        return false
      }
      return true
    }
  }

  private var lanes: [WorkName: Lane] = [:]
  private var unnamed: [Work] = []
  private var onIdle: [@MainActor () -> Void] = []
  private var isClosed = false
  /// Names whose queue is being started.
  private var starting: Set<WorkName> = []

  /// How many are running or queued.
  private(set) var count = 0

  func isRunning(_ name: WorkName) -> Bool { lanes[name] != nil }

  /// Does what the overlap says about work of the same name, and starts the newcomer (A4).
  ///
  /// - Parameter announce: is called when the newcomer is in the book, before anything else
  ///   happens on its account: who hears of it may cancel it (A3).
  func admit(_ work: Work, overlap: Overlap, announce: () -> Void) {
    guard !isClosed else { return work.cancel() }
    guard let name = work.name else {
      work.position = unnamed.count
      unnamed.append(work)
      count += 1
      announce()
      return work.start(in: self)
    }
    let isAlone = lanes[name] == nil
    switch overlap {
    case .latest:
      let before = lanes[name]?.all ?? []
      lanes[name] = Lane(running: [work])
      count += 1 - before.count
      announce()
      for old in before { old.cancel() }
    case .first where !isAlone:
      announce()
      return work.cancel()
    case .join where !isAlone:
      // Between two, the next in the queue is as good as running.
      if let leader = lanes[name]?.running.last ?? lanes[name]?.queued.first {
        work.follow(leader)
      }
      return announce()
    case .queue where !isAlone:
      lanes[name]?.queued.append(work)
      count += 1
      return announce()
    case .first, .join, .queue, .concurrent:
      lanes[name, default: Lane()].running.append(work)
      count += 1
      announce()
    }
    work.start(in: self)
  }

  /// Ends a piece of work on behalf of its caller; not an error if it has ended.
  ///
  /// Work that others have joined is left to them, and one that has joined leaves it to the others.
  func cancel(_ work: Work) {
    if work.isEnded { return }
    if !work.followers.isEmpty { return work.abandon() }
    guard let leader = work.leader else {
      remove(work)
      work.cancel()
      return startNext(after: work)
    }
    work.cancel()
    guard leader.isAbandoned, leader.followers.isEmpty else { return }
    remove(leader)
    leader.cancel()
    startNext(after: leader)
  }

  /// Ends all work of a name, running and queued.
  func cancel(_ name: WorkName) {
    guard let lane = lanes.removeValue(forKey: name) else { return }
    let works = lane.all
    count -= works.count
    for work in works { work.cancel() }
    reportIfIdle()
  }

  func cancelAll() {
    let works = lanes.values.flatMap(\.all) + unnamed
    lanes = [:]
    unnamed = []
    count = 0
    for work in works { work.cancel() }
    reportIfIdle()
  }

  /// Cancels everything and admits nothing more.
  func close() {
    isClosed = true
    cancelAll()
  }

  /// Calls back when nothing is running or queued: now, or as soon as that is so.
  func whenIdle(_ body: @escaping @MainActor () -> Void) {
    if count == 0 { body() } else { onIdle.append(body) }
  }

  /// Takes a piece of work out of the book.
  func remove(_ work: Work) {
    guard let name = work.name else {
      let position = work.position
      guard position < unnamed.count, unnamed[position] === work else { return }
      count -= 1
      let last = unnamed.removeLast()
      guard last !== work else { return }
      last.position = position
      unnamed[position] = last
      return
    }
    // Changed where it lies: a copy of a long queue for each that leaves it would be dear.
    if lanes[name]?.remove(work) == true { count -= 1 }
    if lanes[name]?.isEmpty == true { lanes[name] = nil }
  }

  /// A piece of work is out of the book: what waited for it may start.
  func startNext(after work: Work) {
    if let name = work.name { startQueued(name) }
    reportIfIdle()
  }

  /// A loop, for a queue of work that ends at once.
  private func startQueued(_ name: WorkName) {
    guard starting.insert(name).inserted else { return }
    while lanes[name]?.running.isEmpty == true, let next = lanes[name]?.queued.popFirst() {
      lanes[name]?.running.append(next)
      next.start(in: self)
    }
    starting.remove(name)
  }

  private func reportIfIdle() {
    guard count == 0, !onIdle.isEmpty else { return }
    let waiting = onIdle
    onIdle = []
    for body in waiting { body() }
  }
}
