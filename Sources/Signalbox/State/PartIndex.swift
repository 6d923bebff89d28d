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
@MainActor struct PartIndex {
  private(set) var ranged: [ObservedPart] = []
  private var unranged = OrderedList<ObservedPart>()
  private var lastNumber: UInt64 = 0
  private var outer: [Int] = []
  /// The starts and ends of `ranged`, side by side: searched without touching the nodes.
  private var lowers: [Int] = []
  private var uppers: [Int] = []
  /// The extent asked for last, and where it is, if it is that of one node: what was written to is
  /// often written to again.
  private var recent = PartIndex.nowhere
  /// No extent is like this, not even that of a place without a range.
  private static var nowhere: (lower: Int, upper: Int, type: ObjectIdentifier, index: Int) {
    (-2, -2, ObjectIdentifier(PartIndex.self), -2)
  }
  private var unrangedByKeyPath: [AnyKeyPath: ObservedPart] = [:]

  var isEmpty: Bool { ranged.isEmpty && unranged.isEmpty }
  var hasComputed: Bool { !unranged.isEmpty }
  var computed: [ObservedPart] { unranged.isEmpty ? [] : unranged.elements }
  var all: [ObservedPart] { ranged + computed }

  mutating func insert(_ part: ObservedPart) {
    if part.path.hasRange {
      ranged.insert(part, at: firstIndex(notBefore: part.range))
      link()
    } else {
      lastNumber += 1
      part.number = lastNumber
      unranged.append(part, order: lastNumber)
      unrangedByKeyPath[part.path.keyPath] = part
    }
  }

  /// The caller holds the node, so that it is not released in here.
  mutating func remove(_ part: ObservedPart) {
    if part.path.hasRange {
      guard let index = ranged.firstIndex(where: { $0 === part }) else { return }
      ranged.remove(at: index)
      link()
    } else {
      _ = unranged.remove(order: part.number)
      if unrangedByKeyPath[part.path.keyPath] === part {
        unrangedByKeyPath[part.path.keyPath] = nil
      }
    }
  }

  func find(_ path: StatePath) -> ObservedPart? {
    guard path.hasRange else { return unrangedByKeyPath[path.keyPath] }
    return indices(within: path.range).lazy.map { ranged[$0] }.first {
      $0.path.isSame(as: path)
    }
  }

  /// The node at an index, if it has the extent and disturbs no other observed part, which
  /// is what most do.
  func only(_ index: Int, at range: ByteRange) -> ObservedPart? {
    guard index >= 0, index < ranged.count else { return nil }
    let part = ranged[index]
    return part.isAlone && part.range == range && part.range.type == range.type ? part : nil
  }

  /// The observed parts of a place, itself among them.
  func within(_ range: ByteRange) -> [ObservedPart] {
    let indices = indices(within: range)
    return indices.isEmpty ? [] : Array(ranged[indices])
  }

  func indices(within range: ByteRange) -> Range<Int> {
    let start = firstIndex(notBefore: range)
    var end = start
    while end < lowers.count, lowers[end] < range.upper { end += 1 }
    return start..<end
  }

  /// The observed parts that a place is a part of, itself not among them, from the next wider one.
  func around(_ range: ByteRange) -> [ObservedPart] {
    var index = firstIndex(notBefore: range) - 1
    while index >= 0, uppers[index] < range.upper { index = outer[index] }
    var parts: [ObservedPart] = []
    while index >= 0 {
      parts.append(ranged[index])
      index = outer[index]
    }
    return parts
  }

  /// Where an extent is that was asked for last, if nothing lies within it but its own node.
  func recentIndex(of range: ByteRange) -> Int? {
    range.lower == recent.lower && range.upper == recent.upper && range.type == recent.type
      ? recent.index : nil
  }

  mutating func noteRecent(_ range: ByteRange, at index: Int) {
    recent = (range.lower, range.upper, range.type, index)
  }

  /// Whether the node at an index, which lies within an extent, may be less than that.
  func mayBePart(_ index: Int, of range: ByteRange) -> Bool {
    uppers[index] - lowers[index] < range.size || ranged[index].range.type != range.type
  }

  /// Whether a node, which lies within a place, is less than that.
  func isPart(_ part: ObservedPart, of path: StatePath) -> Bool {
    guard part.range.size == path.range.size else { return true }
    if part.path.type == path.type || part.isWhole { return false }
    // One is the only property of the other.
    return path.range.isWhole || part.path.isOnlyProperty(of: path)
  }

  private func firstIndex(notBefore range: ByteRange) -> Int {
    var low = 0
    var high = lowers.count
    while low < high {
      let middle = (low + high) / 2
      if lowers[middle] < range.lower { low = middle + 1 } else { high = middle }
    }
    while low < lowers.count, lowers[low] == range.lower, uppers[low] > range.upper {
      low += 1
    }
    return low
  }

  private mutating func link() {
    lowers = ranged.map(\.range.lower)
    uppers = ranged.map(\.range.upper)
    recent = PartIndex.nowhere
    outer.removeAll(keepingCapacity: true)
    for index in ranged.indices {
      var wider = index - 1
      while wider >= 0, !ranged[wider].range.contains(ranged[index].range) {
        wider = outer[wider]
      }
      outer.append(wider)
      ranged[index].isAlone = wider < 0
      if wider >= 0 { ranged[wider].isAlone = false }
    }
  }
}
