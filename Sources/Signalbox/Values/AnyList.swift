/// An array or an array slice of any element type.
package protocol AnyList {
  var length: Int { get }
  func item(_ offset: Int) -> Any
  /// Whether the index of each element is its offset. A slice has the indices of its base.
  var hasOffsets: Bool { get }
  /// The number of elements that are the same at the start, and then at the end.
  ///
  /// No element counts for both. `nil` if the lists have different types.
  func ends(with other: Any, _ equality: DeepEquality) -> (head: Int, tail: Int)?
  /// Whether the lists are the same by the `==` of their elements. `nil` if those have none.
  func isSameByEquality(as other: Any, _ equality: DeepEquality) -> Bool?
  /// The pairs of elements at equal offsets that differ bitwise. `nil` if the lengths differ.
  func unlike(_ other: any AnyList) -> [(Any, Any)]?
  /// Numbers the elements of this and another list by `id`. `nil` if one has none.
  func identities(_ range: Range<Int>, in other: any AnyList, _ otherRange: Range<Int>) -> Keys?
  /// Matches the elements of this and another list by `id`.
  ///
  /// `nil` if an element has none, or if there are too many edits.
  func identityScript(
    _ range: Range<Int>, in other: any AnyList, _ otherRange: Range<Int>
  ) -> Alignment?
  /// Numbers the elements of this and another list by value. `nil` if one is not `Hashable`.
  func values(
    _ range: Range<Int>, in other: any AnyList, _ otherRange: Range<Int>, _ equality: DeepEquality
  ) -> Keys?
  /// Calls `body` with a function that compares an element of this list with one of another list.
  func comparing<R>(
    with other: any AnyList, _ equality: DeepEquality, _ body: ((Int, Int) -> Bool) -> R
  ) -> R
}

extension Array: AnyList, Presentable {
  var shape: ValueShape { .parts(ValueParts("", .list(self))) }
  static var partTypes: [Any.Type] { [Element.self] }
}
extension ArraySlice: AnyList, Presentable {
  var shape: ValueShape { .parts(ValueParts(typeName(self), .list(self))) }
  static var partTypes: [Any.Type] { [Element.self] }
}
extension ContiguousArray: AnyList, Presentable {
  var shape: ValueShape { .parts(ValueParts(typeName(self), .list(self))) }
  static var partTypes: [Any.Type] { [Element.self] }
}

extension AnyList where Self: RandomAccessCollection, Index == Int {
  package var length: Int { count }
  package func item(_ offset: Int) -> Any { self[startIndex + offset] }
  package var hasOffsets: Bool { Self.self != SubSequence.self }

  package func isSameByEquality(as other: Any, _ equality: DeepEquality) -> Bool? {
    guard RuntimeEquality.exists(for: Element.self) else { return nil }
    guard let other = other as? Self, count == other.count else { return false }
    return head(with: other, equality) == count
  }

  package func ends(with other: Any, _ equality: DeepEquality) -> (head: Int, tail: Int)? {
    guard let other = other as? Self else { return nil }
    let head = head(with: other, equality)
    // The only other element is the one that differs, so it needs no second comparison.
    if count == other.count, count - head <= 1 { return (head, 0) }
    let tail = alike(
      other, atMost: Swift.min(count, other.count) - head, fromEnd: true,
      equality.rule(for: Element.self))
    return (head, tail)
  }

  package func unlike(_ other: any AnyList) -> [(Any, Any)]? {
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

  package func identities(
    _ range: Range<Int>, in other: any AnyList, _ otherRange: Range<Int>
  ) -> Keys? {
    func open<I: Identifiable>(_: I.Type, _ other: Self) -> Keys? {
      // `I` is `Element`, but the compiler needs the cast to know it.
      guard I.ID.self != ObjectIdentifier.self, let old = Array(self) as Any as? [I],
        let new = Array(other) as Any as? [I]
      else { return nil }
      return Keys(range.lazy.map { old[$0].id }, otherRange.lazy.map { new[$0].id })
    }
    // Examining the type once is faster than examining it for each element.
    if let type = Element.self as? any Identifiable.Type, let other = other as? Self {
      return open(type, other)
    }
    func identities(_ list: any AnyList, _ range: Range<Int>) -> [AnyHashable]? {
      var identities: [AnyHashable] = []
      for offset in range {
        guard let identity = Keys.identity(list.item(offset)) else { return nil }
        identities.append(identity)
      }
      return identities
    }
    guard let old = identities(self, range), let new = identities(other, otherRange) else {
      return nil
    }
    return Keys(old, new)
  }

  package func identityScript(
    _ range: Range<Int>, in other: any AnyList, _ otherRange: Range<Int>
  ) -> Alignment? {
    func open<I: Identifiable>(_: I.Type, _ other: Self) -> Alignment? {
      guard I.ID.self != ObjectIdentifier.self, let old = Array(self) as Any as? [I],
        let new = Array(other) as Any as? [I]
      else { return nil }
      func areSame(_ i: Int, _ j: Int) -> Bool {
        old[i + range.lowerBound].id == new[j + otherRange.lowerBound].id
      }
      let script = EditScript(range.count, otherRange.count, patience: 1 << 16, areSame: areSame)
      guard script.isShortest else { return nil }
      return Alignment(script, oldCount: range.count, areSame: areSame)
    }
    guard let type = Element.self as? any Identifiable.Type, let other = other as? Self else {
      return nil
    }
    return open(type, other)
  }

  package func values(
    _ range: Range<Int>, in other: any AnyList, _ otherRange: Range<Int>, _ equality: DeepEquality
  ) -> Keys? {
    func open<H: Hashable>(_: H.Type, _ other: Self) -> Keys? {
      guard let old = Array(self) as Any as? [H], let new = Array(other) as Any as? [H] else {
        return nil
      }
      return Keys(range.lazy.map { old[$0] }, otherRange.lazy.map { new[$0] }, equality)
    }
    // `AnyHashable(1)` equals `AnyHashable(1.0)`, so their hash values are no help.
    guard Element.self != AnyHashable.self, let other = other as? Self else { return nil }
    return (Element.self as? any Hashable.Type).flatMap { open($0, other) }
  }

  package func comparing<R>(
    with other: any AnyList, _ equality: DeepEquality, _ body: ((Int, Int) -> Bool) -> R
  ) -> R {
    if let other = other as? Self {
      let areSame = equality.rule(for: Element.self)
      let result = withContiguousStorageIfAvailable { old in
        other.withContiguousStorageIfAvailable { new in
          body { i, j in
            unsafe BitwiseEquality.areSame(old, i, new, j) || areSame(old[i], new[j])
          }
        }
      }
      if let result, let result { return result }
    }
    return body { equality.areSame(self.item($0), other.item($1)) }
  }

  private func head(with other: Self, _ equality: DeepEquality) -> Int {
    let limit = Swift.min(count, other.count)
    return alike(other, atMost: limit, fromEnd: false, equality.rule(for: Element.self))
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
