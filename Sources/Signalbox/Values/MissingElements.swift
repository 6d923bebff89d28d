/// Finds the wanted changes of a list that another list lacks (T5).
///
///     before: a b c    wanted: a x c z    actual: a x d c    missing: z
///
/// Elements with an `id` are found by it, other elements by value. A changed element without an `id`
/// is found by its place among the unchanged elements. Unchanged elements are free: they may change,
/// move or disappear, and others may come.
struct MissingElements {
  /// A wanted element and the actual one to compare it with.
  struct Pair {
    /// `nil` if all of the element is wanted.
    let before: Int?
    let wanted: Int
    let actual: Int
  }

  private(set) var pairs: [Pair] = []
  /// The wanted elements that are missing as a whole.
  private(set) var missing: [Int] = []
  /// The actual elements that should have been removed.
  private(set) var unexpected: [Int] = []
  /// The wanted elements that are at another place, with that place.
  private(set) var misplaced: [(wanted: Int, actual: Int)] = []

  private let before: any AnyList
  private let wanted: any AnyList
  private let actual: any AnyList
  private let equality: DeepEquality
  /// For each wanted element that is inserted, changed or moved, the old element if there is one.
  private var demanded: [Int: Int?] = [:]
  /// The wanted elements that are inserted or moved.
  private var placed: Set<Int> = []
  private var removed: [Int] = []
  /// The wanted elements that are not in `demanded`.
  private var kept: [Int] = []
  /// The old elements that these were before.
  private var keptBefore: [Int] = []

  init(
    from before: any AnyList, to wanted: any AnyList, in actual: any AnyList,
    _ equality: DeepEquality
  ) {
    self.before = before
    self.wanted = wanted
    self.actual = actual
    self.equality = equality
    var isUsed = [Bool](repeating: false, count: before.length)
    for edit in ListEdits(from: before, to: wanted, equality).edits {
      switch edit {
      case .removed(let i): removed.append(i)
      case .inserted(let j):
        demanded[j] = .some(nil)
        placed.insert(j)
      case .changed(let i, let j):
        demanded[j] = i
        isUsed[i] = true
      case .moved(let i, let j, _):
        demanded[j] = i
        placed.insert(j)
        isUsed[i] = true
      }
    }
    for i in removed { isUsed[i] = true }
    kept = (0..<wanted.length).filter { demanded[$0] == nil }
    keptBefore = isUsed.indices.filter { !isUsed[$0] }
    let all = (0..<wanted.length, 0..<actual.length)
    if let keys = wanted.identities(all.0, in: actual, all.1), keys.areUnique {
      findByIdentity(keys)
    } else {
      wanted.comparing(with: actual, equality) { findByValue($0) }
    }
  }

  // MARK: - By identity

  private mutating func findByIdentity(_ keys: Keys) {
    var places: [Int: Int] = [:]
    for (offset, key) in keys.new.enumerated() { places[key] = offset }
    let alignment = Alignment(
      Keys(
        old: kept.map { keys.old[$0] }, new: keys.new, count: keys.count), isMoving: false)
    var aligned: [Int: Int] = [:]
    for case .kept(let i, let j) in alignment.steps { aligned[kept[i]] = j }
    // The actual place of the last element that was found in order.
    var last = -1
    let upper = Self.upperBounds(aligned, wanted.length, end: actual.length)
    for j in 0..<wanted.length {
      if let place = aligned[j] { last = max(last, place) }
      guard let old = demanded[j] else { continue }
      guard let place = places[keys.old[j]] else {
        missing.append(j)
        continue
      }
      pairs.append(Pair(before: old, wanted: j, actual: place))
      guard placed.contains(j) else { continue }
      if place > last, place < upper[j] { last = place } else { misplaced.append((j, place)) }
    }
    if removed.isEmpty { return }
    let gone = Set(removed.compactMap { Keys.identity(before.item($0)) })
    unexpected = (0..<actual.length).filter {
      Keys.identity(actual.item($0)).map { gone.contains($0) } ?? false
    }
  }

  /// For each wanted element, the actual place of the next kept one that was found in order.
  private static func upperBounds(_ aligned: [Int: Int], _ count: Int, end: Int) -> [Int] {
    var bounds = [Int](repeating: end, count: count)
    var next = end
    for j in (0..<count).reversed() {
      bounds[j] = next
      if let place = aligned[j] { next = place }
    }
    return bounds
  }

  // MARK: - By value

  private mutating func findByValue(_ areSame: (Int, Int) -> Bool) {
    if isAtItsIndex(areSame) { return }
    // The actual place of each wanted element that was found.
    var places = [Int?](repeating: nil, count: wanted.length)
    let (wantedCount, actualCount) = (wanted.length, actual.length)
    let whole = EditScript(wantedCount, actualCount, areSame: areSame).partner
    for (place, j) in whole.enumerated() { if let j { places[j] = place } }
    let kept = kept
    let keptScript = EditScript(kept.count, actualCount) { areSame(kept[$0], $1) }.partner
    let isComplete = demanded.keys.allSatisfy { places[$0] != nil }
    if !isComplete
      || kept.count(where: { places[$0] != nil }) < keptScript.count(where: { $0 != nil })
    {
      // The kept elements have the first choice, because they say where the others should be.
      places = [Int?](repeating: nil, count: wantedCount)
      for (place, i) in keptScript.enumerated() { if let i { places[kept[i]] = place } }
      findInGaps(&places, areSame)
    }
    // If a changed element was found by its value, its old value must be gone, like a removed one.
    let compared = Set(pairs.map(\.wanted))
    for case (let j, let i?) in demanded
    where places[j] != nil && !placed.contains(j) && !compared.contains(j) {
      removed.append(i)
    }
    findRemoved(places)
  }

  /// Whether each changed element has the wanted value at its index, and no element has come or gone.
  private func isAtItsIndex(_ areSame: (Int, Int) -> Bool) -> Bool {
    removed.isEmpty && before.length == wanted.length && wanted.length == actual.length
      && (0..<wanted.length).allSatisfy {
        areSame($0, $0) || equality.areSame(before.item($0), wanted.item($0))
      }
  }

  /// Finds the demanded elements between each two kept ones.
  private mutating func findInGaps(_ places: inout [Int?], _ areSame: (Int, Int) -> Bool) {
    for gap in Self.gaps(places, actual.length) {
      let demands = gap.wanted.filter { demanded[$0] != nil }
      let start = gap.actual.lowerBound
      let script = EditScript(demands.count, gap.actual.count) { areSame(demands[$0], start + $1) }
      for (offset, i) in script.partner.enumerated() {
        if let i { places[demands[i]] = start + offset }
      }
    }
    for gap in Self.gaps(places, actual.length) {
      let demands = gap.wanted.filter { demanded[$0] != nil }
      let all = gap.wanted.count == gap.actual.count ? Array(gap.wanted) : demands
      if all.count == gap.actual.count {
        for (j, place) in zip(all, gap.actual) {
          guard let old = demanded[j] else { continue }
          pairs.append(Pair(before: old, wanted: j, actual: place))
          places[j] = place
        }
      } else {
        missing += demands
      }
    }
  }

  /// The elements between each two that were found.
  private static func gaps(
    _ places: [Int?], _ end: Int
  ) -> [(wanted: Range<Int>, actual: Range<Int>)] {
    var gaps: [(wanted: Range<Int>, actual: Range<Int>)] = []
    var (start, from) = (0, 0)
    for (j, place) in (places + [end]).enumerated() {
      guard let place else { continue }
      if start < j { gaps.append((start..<j, from..<place)) }
      (start, from) = (j + 1, place + 1)
    }
    return gaps
  }

  /// Finds removed elements between the same kept ones as before.
  private mutating func findRemoved(_ places: [Int?]) {
    var isTaken = [Bool](repeating: false, count: actual.length)
    for place in places { if let place { isTaken[place] = true } }
    // For each number of kept elements, the places of the last one before and of the first one after.
    var lower = [-1]
    for j in kept { lower.append(places[j] ?? lower[lower.count - 1]) }
    var upper = [Int](repeating: actual.length, count: kept.count + 1)
    for next in kept.indices.reversed() { upper[next] = places[kept[next]] ?? upper[next + 1] }
    let old = removed.sorted()
    let places = PlacesByValue(of: old, from: before, in: actual, equality)
    var next = 0
    for i in old {
      while next < keptBefore.count, keptBefore[next] < i { next += 1 }
      guard lower[next] + 1 < upper[next] else { continue }
      let place = places.first(of: i, in: lower[next] + 1..<upper[next]) { !isTaken[$0] }
      guard let place else { continue }
      isTaken[place] = true
      unexpected.append(place)
    }
  }
}

/// The places at which a list has the elements of another list.
private struct PlacesByValue {
  private let before: any AnyList
  private let actual: any AnyList
  private let equality: DeepEquality
  /// The numbers of the elements of both lists; `nil` if the elements are not `Hashable`.
  private let keys: Keys?
  /// For each number, the places of the elements with it, in order.
  private var places: [Int: [Int]] = [:]

  init(
    of elements: [Int], from before: any AnyList, in actual: any AnyList, _ equality: DeepEquality
  ) {
    self.before = before
    self.actual = actual
    self.equality = equality
    keys =
      elements.isEmpty
      ? nil : before.values(0..<before.length, in: actual, 0..<actual.length, equality)
    for (place, number) in (keys?.new ?? []).enumerated() {
      places[number, default: []].append(place)
    }
  }

  /// The first place in a range that has the value of an element and satisfies a condition.
  func first(of element: Int, in range: Range<Int>, where isFree: (Int) -> Bool) -> Int? {
    guard let keys else {
      return range.first {
        isFree($0) && equality.areSame(before.item(element), actual.item($0))
      }
    }
    let all = places[keys.old[element]] ?? []
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return all[low...].first { $0 >= range.upperBound || isFree($0) }
      .flatMap { range.contains($0) ? $0 : nil }
  }
}
