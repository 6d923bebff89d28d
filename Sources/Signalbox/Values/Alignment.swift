/// Matches the elements of two lists, as steps in the order of the new list.
package struct Alignment {
  enum Step {
    case kept(Int, Int)
    case moved(Int, Int)
    /// The removed and the inserted elements between two kept ones.
    case gap([Int], [Int])
  }

  private(set) var steps: [Step] = []

  /// With many edits, matches by occurrence, which is fast but may not give the fewest edits.
  ///
  /// - Parameter isMoving: whether an element that is removed and inserted again counts as moved.
  init(_ old: Range<Int>, _ new: Range<Int>, _ matcher: ListMatcher, isMoving: Bool) {
    let shortest = ShortestEdits.partners(old.count, new.count) {
      matcher.areSame($0 + old.lowerBound, $1 + new.lowerBound)
    }
    let kept =
      shortest?.map { $0.map { $0 + old.lowerBound } }
      ?? Self.increasing(matcher.occurrences(of: Array(new), among: Array(old)))
    var moved = [Int?](repeating: nil, count: new.count)
    if isMoving {
      let isKept = Set(kept.compactMap { $0 })
      let inserted = kept.indices.filter { kept[$0] == nil }
      let origins = matcher.occurrences(
        of: inserted.map { $0 + new.lowerBound }, among: old.filter { !isKept.contains($0) })
      for (place, origin) in zip(inserted, origins) { moved[place] = origin }
    }
    arrange(kept, moved, old, new.lowerBound)
  }

  private mutating func arrange(
    _ kept: [Int?], _ moved: [Int?], _ old: Range<Int>, _ start: Int
  ) {
    let isMoved = Set(moved.compactMap { $0 })
    var removed: [Int] = []
    var inserted: [Int] = []
    var next = old.lowerBound
    func pass(to end: Int) {
      removed += (next..<end).filter { !isMoved.contains($0) }
      next = end + 1
    }
    func flush(_ steps: inout [Step]) {
      if !removed.isEmpty || !inserted.isEmpty { steps.append(.gap(removed, inserted)) }
      removed = []
      inserted = []
    }
    for place in kept.indices {
      if let old = kept[place] {
        pass(to: old)
        flush(&steps)
        steps.append(.kept(old, place + start))
      } else if let old = moved[place] {
        steps.append(.moved(old, place + start))
      } else {
        inserted.append(place + start)
      }
    }
    pass(to: old.upperBound)
    flush(&steps)
  }

  /// The longest increasing subsequence of matches, and `nil` for the others.
  private static func increasing(_ partners: [Int?]) -> [Int?] {
    // `ends[n]` ends the subsequence of length `n + 1` whose last match is lowest. `before` links
    // each element to its predecessor in a subsequence.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: partners.count)
    for (offset, old) in partners.enumerated() {
      guard let old else { continue }
      let place = ends.sortedIndex { partners[$0].map { $0 < old } ?? false }
      if place > 0 { before[offset] = ends[place - 1] }
      if place == ends.count { ends.append(offset) } else { ends[place] = offset }
    }
    var result = [Int?](repeating: nil, count: partners.count)
    var offset = ends.last ?? -1
    while offset >= 0 {
      result[offset] = partners[offset]
      offset = before[offset]
    }
    return result
  }
}
