/// The elements that two lists have in common, in order, by the greedy algorithm of Myers.
///
///     old: a b c d e    new: a x c e    partners: 0 nil 2 4
///
/// `difference(from:)` has no bound, and is 100 times slower for two unrelated lists of 5,000.
enum ShortestEdits {
  /// The number of edits up to which the shortest script is searched for.
  private static let most = 500

  /// The old element of each new one, by the fewest edits; `nil` if there are too many edits.
  static func partners(
    _ oldCount: Int, _ newCount: Int, areSame: (Int, Int) -> Bool
  ) -> [Int?]? {
    let (m, n) = (oldCount, newCount)
    // The furthest old index on each diagonal, in all and before each number of edits.
    var reached = [Int](repeating: 0, count: 2 * most + 3)
    var rounds: [[Int]] = []
    for edits in 0...min(most, m + n) {
      rounds.append(reached)
      // Other diagonals have left the lists.
      let low = -(edits - 2 * max(0, edits - n))
      let high = edits - 2 * max(0, edits - m)
      for k in stride(from: low, through: high, by: 2) {
        let before = previous(reached, k, edits)
        var x = reached[place(before)] + (before < k ? 1 : 0)
        while x < m, x - k < n, areSame(x, x - k) { x += 1 }
        reached[place(k)] = x
        if x >= m, x - k >= n { return trace(rounds, m, n) }
      }
    }
    return nil
  }

  private static func place(_ diagonal: Int) -> Int { diagonal + most + 1 }

  /// The diagonal from which an edit leads to another one.
  private static func previous(_ reached: [Int], _ k: Int, _ edits: Int) -> Int {
    let (left, right) = (reached[place(k - 1)], reached[place(k + 1)])
    return k == -edits || (k != edits && left < right) ? k + 1 : k - 1
  }

  private static func trace(_ rounds: [[Int]], _ oldCount: Int, _ newCount: Int) -> [Int?] {
    var partners = [Int?](repeating: nil, count: newCount)
    var (x, y) = (oldCount, newCount)
    for (edits, reached) in rounds.enumerated().reversed() {
      let k = x - y
      let before = previous(reached, k, edits)
      let start = edits == 0 ? 0 : reached[place(before)]
      let first = edits == 0 ? 0 : start + (before < k ? 1 : 0)
      while x > first {
        (x, y) = (x - 1, y - 1)
        partners[y] = x
      }
      (x, y) = (start, start - before)
    }
    return partners
  }
}
