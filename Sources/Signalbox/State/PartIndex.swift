/// The observed parts of a state, which it finds by their byte ranges.
///
/// With `\.self`, `\.user`, `\.user.age` and `\.b` observed:
///
///     ranged   [ 0..<40 ][ 8..<32 ][ 24..<32 ][ 32..<40 ]    by start, the wider one first
///     outer      –         0..<40    8..<32     0..<40       the next wider one
///     computed [ \.title ][ \.items[3] ]                     compared after every commit
///
/// For a write to `\.user.name`, which is 8..<24, the search starts behind `\.user`. It finds no
/// part within the range and continues outwards to `\.user` and `\.self`.
@MainActor struct PartIndex {
  private(set) var ranged: [ObservedPart] = []
  private var computedList = OrderedList<ObservedPart>()
  private var lastNumber: UInt64 = 0
  private var outer: [Int] = []
  /// The starts and ends of `ranged`, so that a search does not have to read the parts.
  private var lowers: [Int] = []
  private var uppers: [Int] = []
  private var computedByPath: [StatePath: ObservedPart] = [:]

  var isEmpty: Bool { ranged.isEmpty && computedList.isEmpty }
  var hasComputed: Bool { !computedList.isEmpty }
  var computed: [ObservedPart] { computedList.isEmpty ? [] : computedList.elements }
  var all: [ObservedPart] { ranged + computed }

  mutating func insert(_ part: ObservedPart) {
    if part.path.hasRange {
      ranged.insert(part, at: firstIndex(notBefore: part.range))
      link()
    } else {
      lastNumber += 1
      part.number = lastNumber
      computedList.add(part, order: lastNumber)
      computedByPath[part.path] = part
    }
  }

  /// Removes a part, which the caller holds so that it is not released in here.
  mutating func remove(_ part: ObservedPart) {
    if part.path.hasRange {
      guard let index = ranged.firstIndex(where: { $0 === part }) else { return }
      ranged.remove(at: index)
      link()
    } else {
      _ = computedList.remove(order: part.number)
      if computedByPath[part.path] === part {
        computedByPath[part.path] = nil
      }
    }
  }

  func find(_ path: StatePath) -> ObservedPart? {
    guard path.hasRange else { return computedByPath[path] }
    return indices(within: path.range).lazy.map { ranged[$0] }.first {
      $0.path.isSame(as: path)
    }
  }

  /// The observed parts within a range, including the part of the range itself.
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

  /// The observed parts around a range, without its own part, from the next wider one outwards.
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

  /// Whether a part, which lies within the range of a path, is only a part of the value there.
  func isPart(_ part: ObservedPart, of path: StatePath) -> Bool {
    guard part.range.size == path.range.size else { return true }
    if part.path.type == path.type || part.range.isWhole { return false }
    // Either the part is the only property of the path, or the reverse.
    return path.range.isWhole || part.path.isOnlyProperty(of: path)
  }

  private func firstIndex(notBefore range: ByteRange) -> Int {
    var index = lowers.sortedIndex { $0 < range.lower }
    while index < lowers.count, lowers[index] == range.lower, uppers[index] > range.upper {
      index += 1
    }
    return index
  }

  /// Computes the arrays that depend on `ranged`.
  private mutating func link() {
    lowers = ranged.map(\.range.lower)
    uppers = ranged.map(\.range.upper)
    outer.removeAll(keepingCapacity: true)
    for index in ranged.indices {
      var wider = index - 1
      while wider >= 0, !ranged[wider].range.contains(ranged[index].range) {
        wider = outer[wider]
      }
      outer.append(wider)
      ranged[index].isSeparate = wider < 0
      if wider >= 0 { ranged[wider].isSeparate = false }
    }
  }
}
