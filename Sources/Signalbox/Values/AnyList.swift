/// An array or a part of one, whatever it is of.
protocol AnyList {
  var length: Int { get }
  func item(_ offset: Int) -> Any
  /// How many elements at the start, and how many of the rest at the end, are the same.
  func ends(with other: Any, _ equality: DeepEquality) -> (head: Int, tail: Int)?
  /// `nil` if the elements have no `==`.
  func isSameByEquality(as other: Any, _ equality: DeepEquality) -> Bool?
  /// The elements at the same places that do not lie in memory alike; `nil` if there are more in one.
  func unlike(_ other: any AnyList) -> [(Any, Any)]?
}

extension Array: AnyList, Presentable {
  var shape: ValueShape { .parts(ValueParts("", .list(self))) }
  static func mayHide(_ cursor: RedactionCursor) -> Bool { cursor.mayBeHidden(in: Element.self) }
}
extension ArraySlice: AnyList, Presentable {
  var shape: ValueShape { .parts(ValueParts(typeName(self), .list(self))) }
  static func mayHide(_ cursor: RedactionCursor) -> Bool { cursor.mayBeHidden(in: Element.self) }
}
extension ContiguousArray: AnyList, Presentable {
  var shape: ValueShape { .parts(ValueParts(typeName(self), .list(self))) }
  static func mayHide(_ cursor: RedactionCursor) -> Bool { cursor.mayBeHidden(in: Element.self) }
}

extension AnyList where Self: RandomAccessCollection, Index == Int {
  var length: Int { count }
  func item(_ offset: Int) -> Any { self[startIndex + offset] }

  func isSameByEquality(as other: Any, _ equality: DeepEquality) -> Bool? {
    guard Element.self is any Equatable.Type else { return nil }
    guard let other = other as? Self, count == other.count else { return false }
    return head(with: other, equality) == count
  }

  func ends(with other: Any, _ equality: DeepEquality) -> (head: Int, tail: Int)? {
    guard let other = other as? Self else { return nil }
    let head = head(with: other, equality)
    // What ended the start needs no second look.
    if count == other.count, count - head <= 1 { return (head, 0) }
    return (head, tail(with: other, equality, atMost: Swift.min(count, other.count) - head))
  }

  func unlike(_ other: any AnyList) -> [(Any, Any)]? {
    guard length == other.length else { return nil }
    guard let other = other as? Self else {
      return (0..<length).map { (item($0), other.item($0)) }
    }
    var pairs: [(Any, Any)] = []
    var next = 0
    while true {
      next += alike(other, from: next, atMost: count - next, fromEnd: false) { _, _ in false }
      guard next < count else { return pairs }
      pairs.append((item(next), other.item(next)))
      next += 1
    }
  }

  private func head(with other: Self, _ equality: DeepEquality) -> Int {
    let limit = Swift.min(count, other.count)
    return alike(other, atMost: limit, fromEnd: false, equality.rule(for: Element.self))
  }

  private func tail(with other: Self, _ equality: DeepEquality, atMost limit: Int) -> Int {
    alike(other, atMost: limit, fromEnd: true, equality.rule(for: Element.self))
  }

  /// How many in a row lie in memory alike or satisfy a rule.
  ///
  /// Most do, so they are looked at by the block first: one by one is fifty times as dear.
  private func alike(
    _ other: Self, from start: Int = 0, atMost limit: Int, fromEnd: Bool,
    _ areSame: (Element, Element) -> Bool
  ) -> Int {
    let result = withContiguousStorageIfAvailable { old in
      other.withContiguousStorageIfAvailable { new in
        func place(_ offset: Int, _ count: Int) -> Int {
          fromEnd ? count - 1 - start - offset : start + offset
        }
        var offset = 0
        var block = 0
        while offset < limit {
          if offset == block {
            block = Swift.min(offset + 64, limit)
            let first = fromEnd ? block - 1 : offset
            let (i, j) = (place(first, old.count), place(first, new.count))
            if unsafe BitwiseEquality.areSame(old, i, new, j, count: block - offset) {
              offset = block
              continue
            }
          }
          let (i, j) = (place(offset, old.count), place(offset, new.count))
          guard unsafe BitwiseEquality.areSame(old, i, new, j) || areSame(old[i], new[j]) else {
            break
          }
          offset += 1
        }
        return offset
      }
    }
    return (result ?? nil) ?? 0
  }
}
