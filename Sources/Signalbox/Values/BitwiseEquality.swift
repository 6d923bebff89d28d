import Foundation

/// Whether two values of a type lie in memory alike, and so are the same without a look.
///
/// What is not alike may be the same nevertheless.
enum BitwiseEquality {
  static func areSame<T>(_ a: T, _ b: T) -> Bool {
    unsafe withUnsafeBytes(of: a) { a in
      unsafe withUnsafeBytes(of: b) { b in
        guard let a = a.baseAddress, let b = b.baseAddress else { return true }
        return unsafe memcmp(a, b, MemoryLayout<T>.size) == 0
      }
    }
  }

  /// The same of elements of lists, with what lies between them.
  static func areSame<T>(
    _ a: UnsafeBufferPointer<T>, _ i: Int, _ b: UnsafeBufferPointer<T>, _ j: Int, count: Int = 1
  ) -> Bool {
    guard let a = a.baseAddress, let b = b.baseAddress else { return false }
    let size = MemoryLayout<T>.stride * (count - 1) + MemoryLayout<T>.size
    return unsafe memcmp(a + i, b + j, size) == 0
  }

  /// The same whatever lies between the fields, which is not theirs and may be anything.
  ///
  /// A copy leaves that as it was, where it is made field by field; for types that are copied as a
  /// whole it may still differ.
  static func areSameCleared<T>(_ a: T, _ b: T) -> Bool {
    unsafe withUnsafeTemporaryAllocation(of: T.self, capacity: 2) { copies in
      guard let first = copies.baseAddress else { return true }
      unsafe memset(first, 0, 2 * MemoryLayout<T>.stride)
      unsafe first.initialize(to: a)
      unsafe (first + 1).initialize(to: b)
      defer { unsafe first.deinitialize(count: 2) }
      return unsafe memcmp(first, first + 1, MemoryLayout<T>.size) == 0
    }
  }
}
