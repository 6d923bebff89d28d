/// The observed parts of a state, found by where they are.
///
/// With `\.self`, `\.user`, `\.user.age` and `\.b` observed:
///
///     ranged   [ 0..<40 ][ 8..<32 ][ 24..<32 ][ 32..<40 ]    by start, the wider one first
///     around     –         0..<40    8..<32     0..<40       the next wider one
///     computed [ \.title ][ \.items[3] ]                     compared after every commit
///
/// A write to `\.user.name`, 8..<24, starts its search behind `\.user`, finds nothing within
/// itself, and goes outwards: `\.user`, `\.self`.
@MainActor struct NodeList {
  private(set) var ranged: [Node] = []
  private(set) var computed: [Node] = []
  private var around: [Int] = []
  /// The starts and ends of `ranged`, side by side: searched without touching the nodes.
  private var lowers: [Int] = []
  private var uppers: [Int] = []
  /// The extent asked for last, and where it is, if it is that of one node: what was written to is
  /// often written to again.
  private var recent = NodeList.nowhere
  /// No extent is like this, not even that of a place without a range.
  private static var nowhere: (lower: Int, upper: Int, type: ObjectIdentifier, index: Int) {
    (-2, -2, ObjectIdentifier(NodeList.self), -2)
  }
  private var computedByKeyPath: [AnyKeyPath: Node] = [:]
  /// Of two types with a value of one being all that is in the other: whether it is the first.
  private var isInner: [[ObjectIdentifier]: Bool] = [:]

  var isEmpty: Bool { ranged.isEmpty && computed.isEmpty }

  mutating func insert(_ node: Node) {
    if node.place.hasRange {
      ranged.insert(node, at: firstIndex(notBefore: node.extent))
      link()
    } else {
      computed.append(node)
      computedByKeyPath[node.place.keyPath] = node
    }
  }

  mutating func remove(_ node: Node) {
    if node.place.hasRange {
      ranged.removeAll { $0 === node }
      link()
    } else {
      computed.removeAll { $0 === node }
      if computedByKeyPath[node.place.keyPath] === node {
        computedByKeyPath[node.place.keyPath] = nil
      }
    }
  }

  func find(_ place: Place) -> Node? {
    guard place.hasRange else { return computedByKeyPath[place.keyPath] }
    return indices(within: place.extent).lazy.map { ranged[$0] }.first {
      $0.place.isSame(as: place)
    }
  }

  /// The node at an index, if it has the extent and disturbs no other observed part, which
  /// is what most do.
  func only(_ index: Int, at extent: Extent) -> Node? {
    guard index < ranged.count else { return nil }
    let node = ranged[index]
    return node.isAlone && node.extent == extent && node.extent.type == extent.type ? node : nil
  }

  /// The observed parts of a place, itself among them.
  func indices(within extent: Extent) -> Range<Int> {
    let start = firstIndex(notBefore: extent)
    var end = start
    while end < lowers.count, lowers[end] < extent.upper { end += 1 }
    return start..<end
  }

  /// Where an extent is that was asked for last, if nothing lies within it but its own node.
  func recentIndex(of extent: Extent) -> Int? {
    extent.lower == recent.lower && extent.upper == recent.upper && extent.type == recent.type
      ? recent.index : nil
  }

  mutating func noteRecent(_ extent: Extent, at index: Int) {
    recent = (extent.lower, extent.upper, extent.type, index)
  }

  /// Whether the node at an index, which lies within an extent, may be less than that.
  func mayBePart(_ index: Int, of extent: Extent) -> Bool {
    uppers[index] - lowers[index] < extent.size || ranged[index].extent.type != extent.type
  }

  /// Whether the node at an index, which lies within a place, is less than that.
  mutating func isPart(_ index: Int, of place: Place) -> Bool {
    guard uppers[index] - lowers[index] == place.extent.size else { return true }
    let node = ranged[index]
    if node.place.type == place.type || node.isWhole { return false }
    if place.extent.isWhole { return true }
    // One is the only property of the other, or of its only one: the longer key path tells which.
    let types = [node.place.type, place.type]
    if let isInner = isInner[types] { return isInner }
    let isInner = node.place.path.count > place.path.count
    self.isInner[types] = isInner
    return isInner
  }

  /// The next wider observed part that a place is a part of, itself not counted, and then the one
  /// around that one; `nil` when there is none.
  func index(around extent: Extent, startingAt start: Int) -> Int? {
    var index = start - 1
    while index >= 0, uppers[index] < extent.upper { index = around[index] }
    return index >= 0 ? index : nil
  }

  func index(around index: Int) -> Int? { around[index] >= 0 ? around[index] : nil }

  private func firstIndex(notBefore extent: Extent) -> Int {
    var low = 0
    var high = lowers.count
    while low < high {
      let middle = (low + high) / 2
      if lowers[middle] < extent.lower { low = middle + 1 } else { high = middle }
    }
    while low < lowers.count, lowers[low] == extent.lower, uppers[low] > extent.upper {
      low += 1
    }
    return low
  }

  private mutating func link() {
    lowers = ranged.map(\.extent.lower)
    uppers = ranged.map(\.extent.upper)
    recent = NodeList.nowhere
    around.removeAll(keepingCapacity: true)
    for index in ranged.indices {
      var outer = index - 1
      while outer >= 0, !ranged[outer].extent.contains(ranged[index].extent) {
        outer = around[outer]
      }
      around.append(outer)
      ranged[index].isAlone = outer < 0
      if outer >= 0 { ranged[outer].isAlone = false }
    }
  }
}
