import Foundation

/// A value and the lock that guards it.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  // Unchecked because the compiler cannot see that every access to `value` holds `lock`.
  private var value: Value
  private let lock = NSLock()

  package init(_ value: Value) {
    self.value = value
  }

  package func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    try lock.withLock { try body(&value) }
  }
}
