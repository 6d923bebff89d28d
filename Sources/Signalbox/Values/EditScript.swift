/// The elements that two lists have in common, in order, by the linear-space algorithm of Myers.
///
///     old: a b c d e    new: a x c e    partner: 0 nil 2 4
///
/// The script is the shortest one if it has up to 512 edits. A longer one may have more edits than
/// necessary, so that neither time nor memory grows with the square of the edits. The standard
/// library's `difference(from:)` takes a hundred times as long for two unrelated lists of 5,000.
struct EditScript {
  /// For each new element, the old element that it is.
  private(set) var partner: [Int?]
  /// Whether no other script has fewer edits.
  private(set) var isShortest = true

  /// The number of edits that the search looks ahead from either end of a box.
  private static let reach = 256
  /// The same after half of the steps.
  private static let shortReach = 16
  /// The number of comparisons that are left.
  private var steps: Int
  private let patience: Int
  private var boxes: [Box]
  /// The furthest old index on each diagonal, from the start and from the end of a box.
  private var fromStart = [Int](repeating: 0, count: 2 * reach + 3)
  private var fromEnd = [Int](repeating: 0, count: 2 * reach + 3)

  /// A part of both lists without a match yet.
  private struct Box {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// A run of matches.
  private struct Run {
    let old: Int
    let new: Int
    let count: Int
  }

  /// - Parameter patience: the number of steps beyond those of lists that are nearly the same.
  init(
    _ oldCount: Int, _ newCount: Int, patience: Int = 1 << 21, areSame: (Int, Int) -> Bool
  ) {
    self.patience = patience
    partner = [Int?](repeating: nil, count: newCount)
    // Two edits far apart take about three comparisons for each element.
    steps = 4 * (oldCount + newCount) + patience
    boxes = [Box(old: 0..<oldCount, new: 0..<newCount)]
    while var box = boxes.popLast() {
      trim(&box, areSame)
      guard !box.old.isEmpty, !box.new.isEmpty else { continue }
      guard steps > 0 else {
        isShortest = false
        continue
      }
      let run = middle(of: box, areSame)
      for offset in 0..<run.count { partner[run.new + offset] = run.old + offset }
      boxes.append(
        Box(old: box.old.lowerBound..<run.old, new: box.new.lowerBound..<run.new))
      boxes.append(
        Box(
          old: run.old + run.count..<box.old.upperBound,
          new: run.new + run.count..<box.new.upperBound))
    }
  }

  /// Matches the common start and the common end of a box.
  private mutating func trim(_ box: inout Box, _ areSame: (Int, Int) -> Bool) {
    var (i, j) = (box.old.lowerBound, box.new.lowerBound)
    var (m, n) = (box.old.upperBound, box.new.upperBound)
    while i < m, j < n, areSame(i, j) {
      partner[j] = i
      (i, j) = (i + 1, j + 1)
    }
    while i < m, j < n, areSame(m - 1, n - 1) {
      (m, n) = (m - 1, n - 1)
      partner[n] = m
    }
    steps -= box.old.count - (m - i) + 2
    box = Box(old: i..<m, new: j..<n)
  }

  /// A run of matches in the middle of the shortest script, where the searches from both ends meet.
  ///
  /// If they do not meet within reach, the run is empty and lies where the search from the start
  /// got furthest.
  private mutating func middle(of box: Box, _ areSame: (Int, Int) -> Bool) -> Run {
    let (m, n) = (box.old.count, box.new.count)
    let (i, j) = (box.old.lowerBound, box.new.lowerBound)
    let delta = m - n
    let zero = Self.reach + 1
    fromStart[zero + 1] = 0
    fromEnd[zero + 1] = 0
    let reach = steps > patience / 2 ? Self.reach : Self.shortReach
    for edits in 0...min(reach, (m + n + 1) / 2) {
      // Other diagonals have left the box.
      let low = -(edits - 2 * max(0, edits - n))
      let high = edits - 2 * max(0, edits - m)
      for k in stride(from: low, through: high, by: 2) {
        let start = Self.next(fromStart, k, edits, zero)
        var x = start
        while x < m, x - k < n, areSame(i + x, j + x - k) { x += 1 }
        steps -= x - start + 1
        fromStart[zero + k] = x
        let met = delta - k
        if delta % 2 != 0, abs(met) < edits, x + fromEnd[zero + met] >= m {
          return Run(old: i + start, new: j + start - k, count: x - start)
        }
      }
      for k in stride(from: low, through: high, by: 2) {
        let start = Self.next(fromEnd, k, edits, zero)
        var x = start
        while x < m, x - k < n, areSame(i + m - 1 - x, j + n - 1 - (x - k)) { x += 1 }
        steps -= x - start + 1
        fromEnd[zero + k] = x
        let met = delta - k
        if delta % 2 == 0, abs(met) <= edits, x + fromStart[zero + met] >= m {
          return Run(old: i + m - x, new: j + n - (x - k), count: x - start)
        }
      }
    }
    isShortest = false
    return furthest(in: box, reach)
  }

  /// The old index at which the search continues on a diagonal.
  private static func next(_ reached: [Int], _ k: Int, _ edits: Int, _ zero: Int) -> Int {
    let (left, right) = (reached[zero + k - 1], reached[zero + k + 1])
    return k == -edits || (k != edits && left < right) ? right : left + 1
  }

  private func furthest(in box: Box, _ reach: Int) -> Run {
    let (m, n) = (box.old.count, box.new.count)
    var best = (x: 0, y: 0)
    for k in stride(from: -reach, through: reach, by: 2) where k >= -n && k <= m {
      let x = fromStart[Self.reach + 1 + k]
      if x <= m, x - k <= n, x - k >= 0, 2 * x - k > best.x + best.y { best = (x, x - k) }
    }
    return Run(old: box.old.lowerBound + best.x, new: box.new.lowerBound + best.y, count: 0)
  }
}
