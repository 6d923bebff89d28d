/// Where the live states of a collection were when it looked for them last.
///
/// Plain numbers, so that a change passes over other states without a look at their places.
@MainActor final class PositionTable {
  /// The position of a state that must be searched for.
  static let unknown = -1
  /// The position of a state that has ended.
  private static let over = -2

  private var positions: [Int] = []
  /// Changes when positions have moved.
  @safe @exclusivity(unchecked) private(set) var version = 0

  subscript(slot: Int) -> Int {
    get { positions[slot] }
    set { positions[slot] = newValue }
  }

  func append(_ position: Int) { positions.append(position) }

  func end(_ slot: Int) { positions[slot] = Self.over }

  func compact() { positions.removeAll { $0 == Self.over } }

  /// The slots of the states in a range, and of those that must be searched for.
  func slots(in range: Range<Int>) -> [Int] {
    var slots: [Int] = []
    for (slot, position) in positions.enumerated()
    where range.contains(position) || position == Self.unknown {
      slots.append(slot)
    }
    return slots
  }

  var slots: [Int] { positions.indices.filter { positions[$0] != Self.over } }

  func shift(_ range: Range<Int>, by distance: Int) {
    if range.isEmpty { return }
    version += 1
    // A local variable, because every use of a property of an object is checked.
    var moved: [Int] = []
    swap(&moved, &positions)
    for slot in moved.indices where range.contains(moved[slot]) { moved[slot] += distance }
    swap(&moved, &positions)
  }
}
