/// Tells which elements of two lists match, by their offsets.
package struct ListMatcher {
  let areSame: (_ old: Int, _ new: Int) -> Bool
  /// Numbers elements, one number for those that match; `nil` if only pairs can be compared.
  let numbers: (_ old: [Int], _ new: [Int]) -> Numbers?

  struct Numbers {
    var old: [Int]
    var new: [Int]
    /// A number that is greater than all others.
    var count: Int
  }

  static func hashing<Key: Hashable>(
    _ old: @escaping (Int) -> Key, _ new: @escaping (Int) -> Key
  ) -> ListMatcher {
    func numbers(_ olds: [Int], _ news: [Int]) -> Numbers? {
      var known: [Key: Int] = [:]
      var count = 0
      func number(_ key: Key) -> Int {
        if let number = known[key] { return number }
        // A NaN is never found again, so it matches nothing.
        known[key] = count
        count += 1
        return count - 1
      }
      let (old, new) = (olds.map { number(old($0)) }, news.map { number(new($0)) })
      return Numbers(old: old, new: new, count: count)
    }
    return ListMatcher(areSame: { old($0) == new($1) }, numbers: numbers)
  }

  /// The number of pairs up to which elements that cannot be hashed are searched for moves.
  private static let mostPairs = 10_000

  /// The old element of each new one: the first with a number matches the first, and so on.
  func occurrences(of new: [Int], among old: [Int]) -> [Int?] {
    if old.isEmpty || new.isEmpty { return new.map { _ in nil } }
    guard let numbers = numbers(old, new) else {
      guard old.count * new.count <= Self.mostPairs else { return new.map { _ in nil } }
      var left = old
      return new.map { new in
        left.firstIndex { areSame($0, new) }.map { left.remove(at: $0) }
      }
    }
    // The first place of each number, and the next place of the same number for each place.
    var first = [Int](repeating: -1, count: numbers.count)
    var following = [Int](repeating: -1, count: old.count)
    for (place, number) in numbers.old.enumerated().reversed() {
      following[place] = first[number]
      first[number] = place
    }
    return numbers.new.map { number in
      guard first[number] >= 0 else { return nil }
      defer { first[number] = following[first[number]] }
      return old[first[number]]
    }
  }
}
