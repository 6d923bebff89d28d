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
  private var unranged = OrderedList<Node>()
  private var lastNumber: UInt64 = 0
  private var outer: [Int] = []
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
  private var unrangedByKeyPath: [AnyKeyPath: Node] = [:]

  var isEmpty: Bool { ranged.isEmpty && unranged.isEmpty }
  var hasComputed: Bool { !unranged.isEmpty }
  var computed: [Node] { unranged.isEmpty ? [] : unranged.elements }
  var all: [Node] { ranged + computed }

  mutating func insert(_ node: Node) {
    if node.place.hasRange {
      ranged.insert(node, at: firstIndex(notBefore: node.extent))
      link()
    } else {
      lastNumber += 1
      node.number = lastNumber
      unranged.append(node, order: lastNumber)
      unrangedByKeyPath[node.place.keyPath] = node
    }
  }

  /// The caller holds the node, so that it is not released in here.
  mutating func remove(_ node: Node) {
    if node.place.hasRange {
      guard let index = ranged.firstIndex(where: { $0 === node }) else { return }
      ranged.remove(at: index)
      link()
    } else {
      _ = unranged.remove(order: node.number)
      if unrangedByKeyPath[node.place.keyPath] === node {
        unrangedByKeyPath[node.place.keyPath] = nil
      }
    }
  }

  func find(_ place: Place) -> Node? {
    guard place.hasRange else { return unrangedByKeyPath[place.keyPath] }
    return indices(within: place.extent).lazy.map { ranged[$0] }.first {
      $0.place.isSame(as: place)
    }
  }

  /// The node at an index, if it has the extent and disturbs no other observed part, which
  /// is what most do.
  func only(_ index: Int, at extent: Extent) -> Node? {
    guard index >= 0, index < ranged.count else { return nil }
    let node = ranged[index]
    return node.isAlone && node.extent == extent && node.extent.type == extent.type ? node : nil
  }

  /// The observed parts of a place, itself among them.
  func within(_ extent: Extent) -> [Node] {
    let indices = indices(within: extent)
    return indices.isEmpty ? [] : Array(ranged[indices])
  }

  func indices(within extent: Extent) -> Range<Int> {
    let start = firstIndex(notBefore: extent)
    var end = start
    while end < lowers.count, lowers[end] < extent.upper { end += 1 }
    return start..<end
  }

  /// The observed parts that a place is a part of, itself not among them, from the next wider one.
  func around(_ extent: Extent) -> [Node] {
    var index = firstIndex(notBefore: extent) - 1
    while index >= 0, uppers[index] < extent.upper { index = outer[index] }
    var nodes: [Node] = []
    while index >= 0 {
      nodes.append(ranged[index])
      index = outer[index]
    }
    return nodes
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

  /// Whether a node, which lies within a place, is less than that.
  func isPart(_ node: Node, of place: Place) -> Bool {
    guard node.extent.size == place.extent.size else { return true }
    if node.place.type == place.type || node.isWhole { return false }
    // One is the only property of the other.
    return place.extent.isWhole || node.place.isOnlyProperty(of: place)
  }

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
    outer.removeAll(keepingCapacity: true)
    for index in ranged.indices {
      var wider = index - 1
      while wider >= 0, !ranged[wider].extent.contains(ranged[index].extent) {
        wider = outer[wider]
      }
      outer.append(wider)
      ranged[index].isAlone = wider < 0
      if wider >= 0 { ranged[wider].isAlone = false }
    }
  }
}
