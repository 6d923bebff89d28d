/// An array or an array slice of any element type.
protocol AnyList {
  var length: Int { get }
  func item(_ offset: Int) -> Any
  /// The number of elements that are the same at the start, and then at the end.
  ///
  /// No element counts for both. `nil` if the lists have different types.
  func ends(with other: Any, _ equality: DeepEquality) -> (head: Int, tail: Int)?
  /// Whether the lists are the same by the `==` of their elements. `nil` if those have none.
  func isSameByEquality(as other: Any, _ equality: DeepEquality) -> Bool?
  /// The pairs of elements at equal offsets that differ bitwise. `nil` if the lengths differ.
  func unlike(_ other: any AnyList) -> [(Any, Any)]?
  /// The `id` of each element. `nil` if one has none.
  func identities(_ range: Range<Int>) -> [AnyHashable]?
  /// The elements. `nil` if their type is not `Hashable`.
  func hashableItems(_ range: Range<Int>) -> [AnyHashable]?
  /// Compares an element with an element of another list. Both offsets count from `offset`.
  func comparison(
    with other: any AnyList, offset: Int, _ equality: DeepEquality
  ) -> (Int, Int) -> Bool
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
    guard RuntimeEquality.exists(for: Element.self) else { return nil }
    guard let other = other as? Self, count == other.count else { return false }
    return head(with: other, equality) == count
  }

  func ends(with other: Any, _ equality: DeepEquality) -> (head: Int, tail: Int)? {
    guard let other = other as? Self else { return nil }
    let head = head(with: other, equality)
    // The only other element is the one that differs, so it needs no second comparison.
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

  func identities(_ range: Range<Int>) -> [AnyHashable]? {
    func open<I: Identifiable>(_: I.Type) -> [AnyHashable]? {
      if I.ID.self == ObjectIdentifier.self { return nil }
      // `I` is `Element`, but the compiler needs the cast to know it.
      return (Array(self) as Any as? [I]).map { list in range.map { AnyHashable(list[$0].id) } }
    }
    // Examining the type once is faster than examining it for each element.
    if let type = Element.self as? any Identifiable.Type { return open(type) }
    var identities: [AnyHashable] = []
    for offset in range {
      guard let identity = Keys.identity(item(offset)) else { return nil }
      identities.append(identity)
    }
    return identities
  }

  func hashableItems(_ range: Range<Int>) -> [AnyHashable]? {
    func open<H: Hashable>(_: H.Type) -> [AnyHashable]? {
      (Array(self) as Any as? [H]).map { list in range.map { AnyHashable(list[$0]) } }
    }
    // Elements of different types must not be mixed, because `AnyHashable(1)` equals
    // `AnyHashable(1.0)`.
    guard Element.self != AnyHashable.self else { return nil }
    return (Element.self as? any Hashable.Type).flatMap { open($0) }
  }

  func comparison(
    with other: any AnyList, offset: Int, _ equality: DeepEquality
  ) -> (Int, Int) -> Bool {
    guard let other = other as? Self else {
      return { equality.areSame(self.item($0 + offset), other.item($1 + offset)) }
    }
    let areSame = equality.rule(for: Element.self)
    let (start, otherStart) = (startIndex + offset, other.startIndex + offset)
    return { i, j in
      let (old, new) = (self[start + i], other[otherStart + j])
      return BitwiseEquality.areSame(old, new) || areSame(old, new)
    }
  }

  private func head(with other: Self, _ equality: DeepEquality) -> Int {
    let limit = Swift.min(count, other.count)
    return alike(other, atMost: limit, fromEnd: false, equality.rule(for: Element.self))
  }

  private func tail(with other: Self, _ equality: DeepEquality, atMost limit: Int) -> Int {
    alike(other, atMost: limit, fromEnd: true, equality.rule(for: Element.self))
  }

  /// The number of consecutive pairs that are bitwise equal or satisfy `areSame`.
  ///
  /// Most pairs are bitwise equal, so blocks of 64 are compared first. Comparing one by one takes
  /// fifty times as long.
  private func alike(
    _ other: Self, from start: Int = 0, atMost limit: Int, fromEnd: Bool,
    _ areSame: (Element, Element) -> Bool
  ) -> Int {
    let result = withContiguousStorageIfAvailable { old in
      other.withContiguousStorageIfAvailable { new in
        func position(_ offset: Int, _ count: Int) -> Int {
          fromEnd ? count - 1 - start - offset : start + offset
        }
        var offset = 0
        var block = 0
        while offset < limit {
          if offset == block {
            block = Swift.min(offset + 64, limit)
            let first = fromEnd ? block - 1 : offset
            let (i, j) = (position(first, old.count), position(first, new.count))
            if unsafe BitwiseEquality.areSame(old, i, new, j, count: block - offset) {
              offset = block
              continue
            }
          }
          let (i, j) = (position(offset, old.count), position(offset, new.count))
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
