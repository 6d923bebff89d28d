/// Holds the running and queued work of one name.
///
///     works        [ A ][ B ][ C ][ D ]     all work, in the order in which it came
///     running      [ A ][ C ]               in the order in which it started
///     queued            B         D         each starts when it has become the first of `works`
///
/// Work that came later and runs beside other work does not delay queued work.
@MainActor final class WorkLane {
  let name: WorkName
  /// Whether its queue is being started.
  var isStarting = false
  private var works = WorkList()
  /// Running work that new work may join.
  private var running = WorkList()
  /// Work that its own caller has cancelled and that runs for the callers that joined it.
  private var abandoned: [Int: Work] = [:]

  init(_ name: WorkName) { self.name = name }

  var all: [Work] { works.all }
  var isEmpty: Bool { works.isEmpty }
  var first: Work? { works.first }

  /// The first work, if it is queued and its turn has come.
  var next: Work? {
    guard let first = works.first, !first.hasTurn else { return nil }
    return first
  }

  /// The work that new work joins, which is the last that has started or is about to start.
  var leader: Work? { running.last ?? (next?.isAbandoned == false ? next : nil) }

  /// Whether any work is queued.
  var hasQueued: Bool { works.count > running.count + abandoned.count }

  /// The running work that must end before a queued piece of work can start.
  func running(before work: Work) -> [Work] {
    guard !work.hasTurn else { return [] }
    return (running.all + abandoned.values).filter { $0.order < work.order }
  }

  /// Empties the lane.
  func takeAll() -> [Work] {
    let all = works.all
    let held = (works, running, abandoned)
    (works, running, abandoned) = (WorkList(), WorkList(), [:])
    for work in all { work.lane = nil }
    withExtendedLifetime(held) {}
    return all
  }

  func add(_ work: Work) {
    work.lane = self
    works.append(work, number: work.order)
    if work.hasTurn { run(work) }
  }

  /// Records that a piece of work runs from now on.
  func run(_ work: Work) {
    if work.isAbandoned {
      abandoned[work.order] = work
    } else {
      running.append(work, number: work.position)
    }
  }

  /// Records that the work's own caller has cancelled it, so that no new work joins it.
  func abandon(_ work: Work) {
    if work.hasTurn, running.remove(number: work.position) != nil { abandoned[work.order] = work }
  }

  func remove(_ work: Work) -> Bool {
    guard works.remove(number: work.order) != nil else { return false }
    if work.hasTurn, running.remove(number: work.position) == nil {
      abandoned.removeValue(forKey: work.order)
    }
    return true
  }
}
