import Foundation

/// What a change of a collection has done to the live states in it, by their slots.
///
///     before   [ a ][ b ][ c ][ d ][ e ]        the regions are found by comparing bytes
///     after    [ a ][ x ][ y ][ d ][ e ]        before and after the region, nothing has changed,
///                    └ region ┘                 and only the states in it are asked for their ids
@MainActor struct CollectionDifferences {
  /// The live states that may have changed, and are still there.
  var touched: [Int] = []
  var lost: [Int] = []
  /// The live states that were found at another position.
  var moved: [(slot: Int, position: Int)] = []
  /// The positions whose elements have moved together, and by how much.
  var shifts: [(range: Range<Int>, by: Int)] = []
  /// Where states may be that were not there before; `nil` if that is not known.
  var fresh: Range<Int>?
}

/// The part of a collection that a change concerns, as positions before and after it.
@MainActor struct ChangedRegion {
  private(set) var before: Range<Int>
  private(set) var after: Range<Int>

  /// Compares bits: elements with the same bits are equal, and others only enlarge the region.
  init(_ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer, stride: Int) {
    let (oldCount, newCount) = (old.count / stride, new.count / stride)
    let common = min(oldCount, newCount)
    guard common > 0, let old = old.baseAddress, let new = new.baseAddress else {
      (before, after) = (0..<oldCount, 0..<newCount)
      return
    }
    let start = unsafe Self.equalPrefix(old, new, common, stride)
    let shift = newCount - oldCount
    // The end is looked for behind the start, so that no element counts twice.
    let end = unsafe Self.equalSuffix(
      old + oldCount * stride, new + newCount * stride, common - start, stride)
    before = start..<oldCount - end
    after = start..<before.upperBound + shift
  }

  /// Makes the region contain another one of the same change.
  mutating func formUnion(_ other: ChangedRegion) {
    let start = min(before.lowerBound, other.before.lowerBound)
    let shift = after.upperBound - before.upperBound
    before = start..<max(before.upperBound, other.before.upperBound)
    after = start..<before.upperBound + shift
  }

  /// If a single element has moved, the region becomes that one; returns the others, moved by one.
  mutating func takeMove(
    _ isSame: (_ old: Range<Int>, _ new: Range<Int>) -> Bool
  ) -> (range: Range<Int>, by: Int)? {
    guard before == after, before.count > 2 else { return nil }
    let (first, last) = (before.lowerBound, before.upperBound - 1)
    if isSame(first + 1..<last + 1, first..<last) {
      (before, after) = (first..<first + 1, last..<last + 1)
      return (first + 1..<last + 1, -1)
    }
    if isSame(first..<last, first + 1..<last + 1) {
      (before, after) = (last..<last + 1, first..<first + 1)
      return (first..<last, 1)
    }
    return nil
  }

  private static func equalPrefix(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int, _ stride: Int
  ) -> Int {
    search(count) { (start: Int, count: Int) -> Bool in
      unsafe memcmp(a + start * stride, b + start * stride, count * stride) == 0
    }
  }

  private static func equalSuffix(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int, _ stride: Int
  ) -> Int {
    search(count) { (start: Int, count: Int) -> Bool in
      let distance = (start + count) * stride
      return unsafe memcmp(a - distance, b - distance, count * stride) == 0
    }
  }

  /// How many elements are the same, where blocks of elements can be compared.
  private static func search(_ count: Int, _ isSame: (_ start: Int, _ count: Int) -> Bool) -> Int {
    var (start, block) = (0, 512)
    while block > 0 {
      while start + block <= count, isSame(start, block) { start += block }
      block /= 2
    }
    return start
  }
}
