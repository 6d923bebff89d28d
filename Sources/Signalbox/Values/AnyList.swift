/// An array or an array slice of any element type.
package protocol AnyList {
  var length: Int { get }
  func item(_ offset: Int) -> Any
  /// Whether the index of each element is its offset. A slice has the indices of its base.
  var hasOffsets: Bool { get }
  /// The number of same elements at the start, and of those at the end that are not among them.
  func ends(with other: any AnyList, _ equality: DeepEquality) -> (head: Int, tail: Int)
  /// Whether the lists are the same by the `==` of their elements. `nil` if those have none.
  func isSameByEquality(as other: Any, _ equality: DeepEquality) -> Bool?
  /// The pairs of elements at equal offsets that differ bitwise. `nil` if the lengths differ.
  func unlike(_ other: any AnyList) -> [(Any, Any)]?
  /// Matches the elements of this and another list by `id`. `nil` if one has none.
  func matcherByIdentity(with other: any AnyList) -> ListMatcher?
  /// Matches the elements of this and another list by `==` or, where there is none, by contents.
  func matcherByValue(with other: any AnyList, _ equality: DeepEquality) -> ListMatcher
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
    return alike(other, atMost: count, equality.rule(for: Element.self)) == count
  }

  package func ends(with other: any AnyList, _ equality: DeepEquality) -> (head: Int, tail: Int) {
    guard let other = other as? Self else { return (0, 0) }
    let limit = Swift.min(count, other.count)
    let rule = equality.rule(for: Element.self)
    let head = alike(other, atMost: limit, rule)
    // The only other element is the one that differs, so it needs no second comparison.
    if count == other.count, count - head <= 1 { return (head, 0) }
    return (head, alike(other, atMost: limit - head, fromEnd: true, rule))
  }

  package func unlike(_ other: any AnyList) -> [(Any, Any)]? {
    guard length == other.length else { return nil }
    guard let other = other as? Self else {
      return (0..<length).map { (item($0), other.item($0)) }
    }
    var pairs: [(Any, Any)] = []
    var next = 0
    while true {
      next += alike(other, from: next, atMost: count - next) { _, _ in false }
      guard next < count else { return pairs }
      pairs.append((item(next), other.item(next)))
      next += 1
    }
  }

  package func matcherByIdentity(with other: any AnyList) -> ListMatcher? {
    func open<I: Identifiable>(_: I.Type, _ other: Self) -> ListMatcher? {
      // `I` is `Element`, but the compiler needs the cast to know it.
      guard I.ID.self != ObjectIdentifier.self, let old = Array(self) as Any as? [I],
        let new = Array(other) as Any as? [I]
      else { return nil }
      return .hashing({ old[$0].id }, { new[$0].id })
    }
    if let type = Element.self as? any Identifiable.Type, let other = other as? Self {
      return open(type, other)
    }
    func identities(_ list: any AnyList) -> [AnyHashable]? {
      (0..<list.length).completeMap { ElementName.id(of: list.item($0)) }
    }
    guard let old = identities(self), let new = identities(other) else { return nil }
    return .hashing({ old[$0] }, { new[$0] })
  }

  package func matcherByValue(
    with other: any AnyList, _ equality: DeepEquality
  ) -> ListMatcher {
    guard let other = other as? Self else {
      return ListMatcher(
        areSame: { equality.areSame(self.item($0), other.item($1)) }, numbers: { _, _ in nil })
    }
    func open<H: Hashable>(_: H.Type) -> ListMatcher? {
      guard let old = Array(self) as Any as? [H], let new = Array(other) as Any as? [H] else {
        return nil
      }
      return .hashing({ old[$0] }, { new[$0] })
    }
    let (old, new) = (Array(self), Array(other))
    let rule = equality.rule(for: Element.self)
    // `AnyHashable(1)` equals `AnyHashable(1.0)`, so their hash values are no help.
    let type = Element.self == AnyHashable.self ? nil : Element.self as? any Hashable.Type
    return ListMatcher(
      areSame: { BitwiseEquality.areSame(old[$0], new[$1]) || rule(old[$0], new[$1]) },
      numbers: type.flatMap { open($0) }?.numbers ?? { _, _ in nil })
  }

  /// The number of consecutive pairs that are bitwise equal or satisfy `areSame`.
  ///
  /// Compares blocks of 64 bitwise first, because comparing one by one takes fifty times as long.
  private func alike(
    _ other: Self, from start: Int = 0, atMost limit: Int, fromEnd: Bool = false,
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
