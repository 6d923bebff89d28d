/// The running and queued work of a store, by name.
///
///     lanes     "search"   B runs, C and D are queued
///               "upload"   E and F run
///     unnamed   [ G, H ]   each knows its position
///
/// Work is removed by identity and not by name, so late work cannot remove its successor. The
/// caller keeps what is removed, because its release may run user code. Names are compared in a
/// copy, because user code compares them and may call back into the book.
@MainActor struct WorkIndex {
  /// The lanes, by the hash of their names.
  private var lanes: [Int: [WorkLane]] = [:]
  private var unnamed: [Work] = []
  private(set) var count = 0

  /// Finds the lane of a name; runs user code, which compares names and may change the index.
  static func lane(of name: WorkName, in index: () -> WorkIndex) -> WorkLane? {
    while true {
      let candidates = index().lanes[name.hash] ?? []
      let lane = candidates.first { $0.name.isSame(as: name) }
      // User code that compared the names may have changed these lanes. If it has, search again.
      if candidates.elementsEqual(index().lanes[name.hash] ?? [], by: ===) { return lane }
    }
  }

  var all: [Work] {
    (lanes.values.joined().flatMap(\.all) + unnamed).sorted { $0.order < $1.order }
  }

  @inline(__always) mutating func add(_ work: Work) {
    work.position = unnamed.count
    unnamed.append(work)
    count += 1
  }

  mutating func add(_ work: Work, named name: WorkName, to lane: WorkLane?) {
    let existing = lane
    let lane = existing ?? WorkLane(name)
    lane.add(work)
    if existing == nil { lanes[name.hash, default: []].append(lane) }
    count += 1
  }

  /// Removes a piece of work, whose `lane` must still be set.
  mutating func remove(_ work: Work) {
    guard work.name != nil else { return removeUnnamed(work) }
    guard let lane = work.lane, lane.remove(work) else { return }
    count -= 1
    if lane.isEmpty { remove(lane) }
  }

  private mutating func remove(_ lane: WorkLane) {
    guard var others = lanes.removeValue(forKey: lane.name.hash) else { return }
    others.removeAll { $0 === lane }
    if !others.isEmpty { lanes[lane.name.hash] = others }
  }

  private mutating func removeUnnamed(_ work: Work) {
    let position = work.position
    guard position < unnamed.count, unnamed[position] === work else { return }
    count -= 1
    let last = unnamed.removeLast()
    guard last !== work else { return }
    last.position = position
    unnamed[position] = last
  }

  mutating func removeAll(of lane: WorkLane) -> [Work] {
    remove(lane)
    let works = lane.takeAll()
    count -= works.count
    return works
  }

  mutating func removeAll() -> (works: [Work], lanes: [WorkLane]) {
    let all = Array(lanes.values.joined())
    let works = all.flatMap { $0.takeAll() } + unnamed
    self = WorkIndex()
    return (works.sorted { $0.order < $1.order }, all)
  }
}
