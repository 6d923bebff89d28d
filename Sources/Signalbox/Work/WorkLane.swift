/// The work of one name: what runs, and what waits for its turn.
///
///     works        [ A ][ B ][ C ][ D ]     all, as they came
///     running      [ A ][ C ]               in the order in which they started
///     queued            B         D         each starts when it has become the first
///
/// Work that came later, and runs beside the others, does not delay what is queued.
@MainActor final class WorkLane {
  let name: WorkName
  /// Whether its queue is being started.
  var isStarting = false
  private var works = WorkList()
  /// Those that a newcomer may join.
  private var running = WorkList()
  /// Those that run for who has joined them, and that their own callers have cancelled.
  private var abandoned: [Int: Work] = [:]

  init(_ name: WorkName) { self.name = name }

  var all: [Work] { works.all }
  var isEmpty: Bool { works.isEmpty }
  var first: Work? { works.first }

  /// The next one, if its turn has come.
  var next: Work? {
    guard let first = works.first, !first.hasTurn else { return nil }
    return first
  }

  /// The one that a newcomer joins: the last that has started, or is about to.
  var leader: Work? { running.last ?? (next?.isAbandoned == false ? next : nil) }

  /// Whether any is queued.
  var hasQueued: Bool { works.count > running.count + abandoned.count }

  /// Those that have to end before a queued one can start, apart from others that are queued.
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

  /// It runs from here on.
  func run(_ work: Work) {
    if work.isAbandoned {
      abandoned[work.order] = work
    } else {
      running.append(work, number: work.position)
    }
  }

  /// Its own caller has cancelled it: it goes on, and no newcomer joins it.
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
