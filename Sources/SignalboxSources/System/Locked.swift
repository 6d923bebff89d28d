import Foundation

/// A value and the lock that guards it.
final class Locked<Value>: @unchecked Sendable {
  // Unchecked because the compiler cannot see that every access to `value` holds `lock`.
  private var value: Value
  // Not a `Mutex`, which the thread sanitizer does not see on Linux.
  private let lock = NSLock()

  init(_ value: sending Value) { self.value = value }

  func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    try lock.withLock { try body(&value) }
  }
}
