/// Matches the elements of two lists, as steps in the order of the new list.
package struct Alignment {
  /// A pair of elements that match, or the elements between two matches.
  enum Step {
    case kept(Int, Int)
    case moved(Int, Int)
    /// The removed and the inserted elements between two kept ones.
    case gap([Int], [Int])
  }

  private(set) var steps: [Step] = []

  /// The number of pairs of a removed and an inserted element up to which moves are searched for.
  private static let most = 10_000

  /// Matches elements by number.
  ///
  /// - Parameter isMoving: whether an element that is removed and inserted again counts as moved.
  init(_ keys: Keys, isMoving: Bool) {
    let partner = Self.partner(keys)
    var movedFrom = [Int?](repeating: nil, count: keys.new.count)
    if isMoving {
      var isKept = [Bool](repeating: false, count: keys.old.count)
      for case let old? in partner { isKept[old] = true }
      let free = Keys(
        old: keys.old.indices.map { isKept[$0] ? -1 : keys.old[$0] },
        new: keys.new.indices.map { partner[$0] != nil ? -1 : keys.new[$0] }, count: keys.count)
      movedFrom = Self.occurrences(free)
    }
    arrange(partner, movedFrom, oldCount: keys.old.count)
  }

  /// Matches elements by a script.
  ///
  /// - Parameter areSame: finds elements that have moved, unless too many were removed and inserted.
  init(_ script: EditScript, oldCount: Int, areSame: (Int, Int) -> Bool) {
    let partner = script.partner
    var movedFrom = [Int?](repeating: nil, count: partner.count)
    var isKept = [Bool](repeating: false, count: oldCount)
    for case let old? in partner { isKept[old] = true }
    var removed = (0..<oldCount).filter { !isKept[$0] }
    let inserted = partner.indices.filter { partner[$0] == nil }
    if removed.count * inserted.count <= Self.most {
      for new in inserted {
        guard let place = removed.firstIndex(where: { areSame($0, new) }) else { continue }
        movedFrom[new] = removed.remove(at: place)
      }
    }
    arrange(partner, movedFrom, oldCount: oldCount)
  }

  private mutating func arrange(_ partner: [Int?], _ movedFrom: [Int?], oldCount: Int) {
    var isMoved = [Bool](repeating: false, count: oldCount)
    for case let old? in movedFrom { isMoved[old] = true }
    var removed: [Int] = []
    var inserted: [Int] = []
    var next = 0
    func pass(to end: Int) {
      removed += (next..<end).filter { !isMoved[$0] }
      next = end + 1
    }
    func flush(_ steps: inout [Step]) {
      if !removed.isEmpty || !inserted.isEmpty { steps.append(.gap(removed, inserted)) }
      removed = []
      inserted = []
    }
    for new in partner.indices {
      if let old = partner[new] {
        pass(to: old)
        flush(&steps)
        steps.append(.kept(old, new))
      } else if let old = movedFrom[new] {
        steps.append(.moved(old, new))
      } else {
        inserted.append(new)
      }
    }
    pass(to: oldCount)
    flush(&steps)
  }

  /// For each new element, its match in the old list by occurrence.
  ///
  /// The first occurrence of a key in the new list matches its first one in the old list, the
  /// second matches the second, and so on. A negative key stands for an element without a match.
  private static func occurrences(_ keys: Keys) -> [Int?] {
    // The first offset of each key, and the next offset of the same key for each offset.
    var first = [Int](repeating: -1, count: keys.count)
    var following = [Int](repeating: -1, count: keys.old.count)
    for (offset, key) in keys.old.enumerated().reversed() where key >= 0 {
      following[offset] = first[key]
      first[key] = offset
    }
    return keys.new.map { key in
      guard key >= 0, first[key] >= 0 else { return nil }
      defer { first[key] = following[first[key]] }
      return first[key]
    }
  }

  /// For each new element, its match in the old list, so that the matches have the same order.
  private static func partner(_ keys: Keys) -> [Int?] {
    let increasing = kept(occurrences(keys))
    if keys.areUnique { return increasing }
    let script = EditScript(keys.old.count, keys.new.count) { keys.old[$0] == keys.new[$1] }
    if script.isShortest { return script.partner }
    let count = increasing.count { $0 != nil }
    return count > script.partner.count { $0 != nil } ? increasing : script.partner
  }

  /// The matches that form the longest increasing subsequence.
  ///
  /// The others have moved.
  private static func kept(_ partner: [Int?]) -> [Int?] {
    // `ends[n]` ends the subsequence of length `n + 1` whose last match is lowest. `before` links
    // each element to its predecessor in a subsequence.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: partner.count)
    for (offset, old) in partner.enumerated() {
      guard let old else { continue }
      let place = ends.sortedIndex { partner[$0].map { $0 < old } ?? false }
      if place > 0 { before[offset] = ends[place - 1] }
      if place == ends.count { ends.append(offset) } else { ends[place] = offset }
    }
    var result = [Int?](repeating: nil, count: partner.count)
    var offset = ends.last ?? -1
    while offset >= 0 {
      result[offset] = partner[offset]
      offset = before[offset]
    }
    return result
  }
}
