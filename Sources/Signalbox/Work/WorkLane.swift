/// Holds the running and queued work of one name.
///
///     works     [ A runs ][ B queued ][ C runs ][ D queued ]     in the order in which it came
///
/// Queued work starts when it is the first. Later work that runs beside others does not delay it.
@MainActor final class WorkLane {
  let name: WorkName
  /// Whether its queue is being started.
  var isStarting = false
  private var works = WorkList()

  init(_ name: WorkName) { self.name = name }

  var all: [Work] { works.all }
  var isEmpty: Bool { works.isEmpty }
  var first: Work? { works.first }

  /// Whether any work may wait for other work of the name.
  var mayHaveQueued: Bool { works.count > 1 }

  /// The first work, if it is queued and its turn has come.
  var next: Work? {
    guard let first = works.first, !first.hasTurn else { return nil }
    return first
  }

  /// The work that new work joins: the last that has begun or is about to, and is not abandoned.
  var leader: Work? {
    let running = works.all.filter { $0.hasTurn && !$0.isAbandoned }
    if let last = running.max(by: { $0.position < $1.position }) { return last }
    return next?.isAbandoned == false ? next : nil
  }

  /// The running work that must end before a queued piece of work can start.
  func running(before work: Work) -> [Work] {
    works.all.filter { $0.hasTurn && $0.order < work.order }
  }

  func takeAll() -> [Work] {
    let all = works.all
    let held = exchange(&works, with: WorkList())
    for work in all { work.lane = nil }
    withExtendedLifetime(held) {}
    return all
  }

  func add(_ work: Work) {
    work.lane = self
    works.append(work, number: work.order)
  }

  func remove(_ work: Work) -> Bool { works.remove(number: work.order) != nil }
}
