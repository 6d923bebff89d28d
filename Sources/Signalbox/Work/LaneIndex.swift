/// The lanes of a book, by the names of their work.
///
///     hash of a name ──▶ [ lane "search" ][ lane of another name with this hash ]
///
/// Names are compared by code of the user's, which may come back to the book. So they are compared
/// in a copy, and a lane is added and removed by its hash and its identity.
@MainActor struct LaneIndex {
  private var lanes: [Int: [WorkLane]] = [:]

  var all: [WorkLane] { lanes.values.flatMap(\.self) }

  mutating func add(_ lane: WorkLane) {
    lanes[lane.name.hash, default: []].append(lane)
  }

  /// The caller holds the lane, so that its name is not released in here.
  mutating func remove(_ lane: WorkLane) {
    guard var others = lanes.removeValue(forKey: lane.name.hash) else { return }
    others.removeAll { $0 === lane }
    if !others.isEmpty { lanes[lane.name.hash] = others }
  }

  /// - Parameter index: gives the index of now, each time that it is asked for.
  static func find(_ name: WorkName, in index: () -> LaneIndex) -> WorkLane? {
    while true {
      let candidates = index().lanes[name.hash] ?? []
      let lane = candidates.first { $0.name.isSame(as: name) }
      // What has compared the names may have changed these lanes.
      if candidates.elementsEqual(index().lanes[name.hash] ?? [], by: ===) { return lane }
    }
  }
}
