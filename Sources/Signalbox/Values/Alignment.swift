/// Which elements of two lists belong together, and in which order they are gone through.
struct Alignment {
  enum Step {
    case kept(Int, Int)
    case moved(Int, Int)
    /// Between two that were kept: what went, and what came.
    case gap([Int], [Int])
  }

  private(set) var steps: [Step] = []

  /// - Parameters:
  ///   - isMoving: whether what went and came again has moved.
  ///   - isExact: whether the shortest edit script is looked for, if the lists are short.
  init(_ keys: Keys, isMoving: Bool, isExact: Bool) {
    var partner =
      isExact && keys.old.count + keys.new.count <= 2_000
      ? Self.script(keys) : Self.kept(Self.occurrences(keys))
    var movedFrom = [Int?](repeating: nil, count: keys.new.count)
    if isMoving {
      let isKept = Set(partner.compactMap { $0 })
      let free = Keys(
        old: keys.old.enumerated().map { isKept.contains($0.offset) ? -1 : $0.element },
        new: keys.new.enumerated().map { partner[$0.offset] != nil ? -2 : $0.element })
      movedFrom = Self.occurrences(free)
    }
    arrange(&partner, movedFrom, oldCount: keys.old.count)
  }

  private mutating func arrange(_ partner: inout [Int?], _ movedFrom: [Int?], oldCount: Int) {
    let moved = Set(movedFrom.compactMap { $0 })
    var removed: [Int] = []
    var inserted: [Int] = []
    var next = 0
    func pass(to end: Int) {
      removed += (next..<end).filter { !moved.contains($0) }
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

  /// The first with the first of the same key, the second with the second.
  private static func occurrences(_ keys: Keys) -> [Int?] {
    var places: [Int: [Int]] = [:]
    for (offset, key) in keys.old.enumerated().reversed() where key >= 0 {
      places[key, default: []].append(offset)
    }
    return keys.new.map { $0 < 0 ? nil : places[$0]?.popLast() }
  }

  /// By the shortest edit script.
  private static func script(_ keys: Keys) -> [Int?] {
    let difference = keys.new.difference(from: keys.old)
    var removed = Set<Int>()
    var inserted = Set<Int>()
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var kept = keys.old.indices.lazy.filter { !removed.contains($0) }.makeIterator()
    return keys.new.indices.map { inserted.contains($0) ? nil : kept.next() }
  }

  /// Of the partners those of the longest increasing subsequence: the others are what has moved.
  private static func kept(_ partner: [Int?]) -> [Int?] {
    // The subsequence of each length that ends lowest, and what comes before it.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: partner.count)
    for (place, old) in partner.enumerated() {
      guard let old else { continue }
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if let end = partner[ends[middle]], end < old { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[place] = ends[low - 1] }
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var result = [Int?](repeating: nil, count: partner.count)
    var place = ends.last ?? -1
    while place >= 0 {
      result[place] = partner[place]
      place = before[place]
    }
    return result
  }
}

extension Keys {
  init(old: [Int], new: [Int]) {
    self.old = old
    self.new = new
  }
}
