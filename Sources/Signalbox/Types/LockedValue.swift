import Foundation

/// A value that one thread at a time uses.
// `Mutex` would do as well, but on Linux the thread sanitizer does not see that it locks.
package final class LockedValue<Value>: Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private nonisolated(unsafe) var value: Value

  package init(_ value: sending Value) { unsafe self.value = value }

  package func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    try lock.withLock { try unsafe body(&value) }
  }
}
