/// Finds the lanes of a book by the names of their work.
///
///     hash of a name ──▶ [ lane "search" ][ lane of another name with this hash ]
///
/// User code compares names and may call back into the book. Names are therefore compared in a copy
/// of the index, and a lane is added and removed by its hash and its identity.
@MainActor struct LaneIndex {
  private var lanes: [Int: [WorkLane]] = [:]

  var all: [WorkLane] { lanes.values.flatMap(\.self) }

  mutating func add(_ lane: WorkLane) {
    lanes[lane.name.hash, default: []].append(lane)
  }

  /// Removes a lane, which the caller must keep alive so that its name is not released here.
  mutating func remove(_ lane: WorkLane) {
    guard var others = lanes.removeValue(forKey: lane.name.hash) else { return }
    others.removeAll { $0 === lane }
    if !others.isEmpty { lanes[lane.name.hash] = others }
  }

  /// Finds the lane of a name.
  ///
  /// - Parameter index: returns the current index at each call.
  static func find(_ name: WorkName, in index: () -> LaneIndex) -> WorkLane? {
    while true {
      let candidates = index().lanes[name.hash] ?? []
      let lane = candidates.first { $0.name.isSame(as: name) }
      // User code that compared the names may have changed these lanes. If it has, search again.
      if candidates.elementsEqual(index().lanes[name.hash] ?? [], by: ===) { return lane }
    }
  }
}
