/// What runs in a store, and under which name.
///
///     book ──▶ lane "search"   running [ B ]      queued [ C, D ]
///          ──▶ lane "upload"   running [ E, F ]   queued [ ]
///          ──▶ unnamed         { G, H }
///
/// Work is in the book from before it starts, so that no cancel comes too early (A3), and leaves
/// it the moment it is cancelled, not when it gets round to returning (A7). An entry is found by
/// identity and not only by name: late work cannot remove its successor's.
@MainActor final class WorkBook {
  private struct Lane {
    var running: [Work] = []
    var queued: [Work] = []
    var all: [Work] { running + queued }
    var isEmpty: Bool { running.isEmpty && queued.isEmpty }
  }

  private var lanes: [WorkName: Lane] = [:]
  private var unnamed: [ObjectIdentifier: Work] = [:]
  private var onIdle: [@MainActor () -> Void] = []
  private var isClosed = false

  /// How many are running or queued.
  private(set) var count = 0

  func isRunning(_ name: WorkName) -> Bool { lanes[name] != nil }

  /// Does what the overlap says about work of the same name, and starts the newcomer.
  func admit(_ work: Work, overlap: Overlap) {
    guard !isClosed else { return work.cancel() }
    guard let name = work.name else {
      unnamed[ObjectIdentifier(work)] = work
      count += 1
      return start(work)
    }
    let lane = lanes[name] ?? Lane()
    switch overlap {
    case .latest:
      cancel(name)
    case .first where !lane.isEmpty:
      return work.cancel()
    case .join:
      if let running = lane.running.last { return running.whenEnded { work.end($0) } }
    case .queue where !lane.isEmpty:
      lanes[name, default: Lane()].queued.append(work)
      count += 1
      return
    case .first, .queue, .concurrent:
      break
    }
    lanes[name, default: Lane()].running.append(work)
    count += 1
    start(work)
  }

  /// Ends a piece of work; the next in its queue starts.
  ///
  /// Not an error if it has ended.
  func cancel(_ work: Work) {
    remove(work)
    work.cancel()
    if let name = work.name { startNext(name) }
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
    let works = lanes.values.flatMap(\.all) + unnamed.values
    lanes = [:]
    unnamed = [:]
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

  private func start(_ work: Work) {
    work.start { work, outcome in
      self.remove(work)
      work.end(outcome)
      if let name = work.name { self.startNext(name) }
      self.reportIfIdle()
    }
  }

  private func startNext(_ name: WorkName) {
    guard var lane = lanes[name], lane.running.isEmpty, !lane.queued.isEmpty else { return }
    let next = lane.queued.removeFirst()
    lane.running.append(next)
    lanes[name] = lane
    start(next)
  }

  private func remove(_ work: Work) {
    guard let name = work.name else {
      if unnamed.removeValue(forKey: ObjectIdentifier(work)) != nil { count -= 1 }
      return
    }
    guard var lane = lanes[name] else { return }
    let before = lane.running.count + lane.queued.count
    lane.running.removeAll { $0 === work }
    lane.queued.removeAll { $0 === work }
    count -= before - lane.running.count - lane.queued.count
    lanes[name] = lane.isEmpty ? nil : lane
  }

  private func reportIfIdle() {
    guard count == 0, !onIdle.isEmpty else { return }
    let waiting = onIdle
    onIdle = []
    for body in waiting { body() }
  }
}
