/// Holds the running and queued work of one name.
///
///     works     [ A runs ][ B queued ][ C runs ][ D queued ]     in the order in which it came
///
/// Queued work starts when it is the first. Later work that runs beside others does not delay it.
@MainActor final class WorkLane {
  let name: WorkName
  /// Whether its queue is being started.
  var isStarting = false
  /// Sorted by `order`, because new work has the greatest.
  private(set) var all: [Work] = []

  init(_ name: WorkName) { self.name = name }

  var isEmpty: Bool { all.isEmpty }
  var first: Work? { all.first }

  /// Whether any work may wait for other work of the name.
  var mayHaveQueued: Bool { all.count > 1 }

  /// The first work, if it is queued and its turn has come.
  var next: Work? {
    guard let first = all.first, !first.hasTurn else { return nil }
    return first
  }

  /// The work that new work joins: the last that has begun or is about to, and is not abandoned.
  var leader: Work? {
    let running = all.filter { $0.hasTurn && !$0.isAbandoned }
    if let last = running.max(by: { $0.position < $1.position }) { return last }
    return next?.isAbandoned == false ? next : nil
  }

  /// The running work that must end before a queued piece of work can start.
  func running(before work: Work) -> [Work] {
    all.filter { $0.hasTurn && $0.order < work.order }
  }

  func takeAll() -> [Work] {
    let works = all.takeAll()
    for work in works { work.lane = nil }
    return works
  }

  func add(_ work: Work) {
    work.lane = self
    all.append(work)
  }

  func remove(_ work: Work) -> Bool {
    let index = all.sortedIndex { $0.order < work.order }
    guard index < all.count, all[index] === work else { return false }
    all.remove(at: index)
    return true
  }
}
