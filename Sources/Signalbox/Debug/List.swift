/// An array or a part of one, whatever it is of.
protocol List {
  var length: Int { get }
  func item(_ offset: Int) -> Any
  /// How many elements at the start, and how many of the rest at the end, are the same.
  func ends(with other: Any, _ sameness: Sameness) -> (head: Int, tail: Int)?
  /// `nil` if the elements have no `==`.
  func isSameByEquality(as other: Any, _ sameness: Sameness) -> Bool?
}

extension Array: List, Seen { var look: Look { .parts(Parts("", .list(self))) } }
extension ArraySlice: List, Seen {
  var look: Look { .parts(Parts(typeName(self), .list(self))) }
}
extension ContiguousArray: List, Seen {
  var look: Look { .parts(Parts(typeName(self), .list(self))) }
}

extension List where Self: RandomAccessCollection, Index == Int {
  var length: Int { count }
  func item(_ offset: Int) -> Any { self[startIndex + offset] }

  func isSameByEquality(as other: Any, _ sameness: Sameness) -> Bool? {
    guard Element.self is any Equatable.Type else { return nil }
    guard let other = other as? Self, count == other.count else { return false }
    return head(with: other, sameness) == count
  }

  func ends(with other: Any, _ sameness: Sameness) -> (head: Int, tail: Int)? {
    guard let other = other as? Self else { return nil }
    let head = head(with: other, sameness)
    // What ended the start needs no second look.
    if count == other.count, count - head <= 1 { return (head, 0) }
    return (head, tail(with: other, sameness, atMost: Swift.min(count, other.count) - head))
  }

  private func head(with other: Self, _ sameness: Sameness) -> Int {
    count(with: other, sameness, atMost: Swift.min(count, other.count)) { offset, _ in offset }
  }

  private func tail(with other: Self, _ sameness: Sameness, atMost limit: Int) -> Int {
    count(with: other, sameness, atMost: limit) { offset, count in count - 1 - offset }
  }

  /// How many are the same in a row, the places of each given by its number and the list's count.
  private func count(
    with other: Self, _ sameness: Sameness, atMost limit: Int,
    _ place: (Int, Int) -> Int
  ) -> Int {
    let areSame = sameness.rule(for: Element.self)
    let result = withContiguousStorageIfAvailable { old in
      other.withContiguousStorageIfAvailable { new in
        var offset = 0
        while offset < limit {
          let i = place(offset, old.count)
          let j = place(offset, new.count)
          guard unsafe Bits.areSame(old, i, new, j) || areSame(old[i], new[j]) else { break }
          offset += 1
        }
        return offset
      }
    }
    return (result ?? nil) ?? 0
  }
}
