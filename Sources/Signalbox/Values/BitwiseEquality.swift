import Foundation

/// Compares bytes as a shortcut: values with equal bytes are the same, and others may be.
enum BitwiseEquality {
  static func areSame<T>(_ a: T, _ b: T) -> Bool {
    unsafe withUnsafeBytes(of: a) { a in
      unsafe withUnsafeBytes(of: b) { b in
        guard let a = a.baseAddress, let b = b.baseAddress else { return true }
        return unsafe memcmp(a, b, MemoryLayout<T>.size) == 0
      }
    }
  }

  /// Compares the bytes of consecutive elements of two lists, including the padding between them.
  static func areSame<T>(
    _ a: UnsafeBufferPointer<T>, _ i: Int, _ b: UnsafeBufferPointer<T>, _ j: Int, count: Int = 1
  ) -> Bool {
    guard let a = a.baseAddress, let b = b.baseAddress else { return false }
    let size = MemoryLayout<T>.stride * (count - 1) + MemoryLayout<T>.size
    return unsafe memcmp(a + i, b + j, size) == 0
  }

  /// Compares the bytes of two values without the padding between their fields, where possible.
  ///
  /// A copy into zeroed memory has zeros as padding, unless the type is copied as a whole.
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
