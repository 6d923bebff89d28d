import Foundation

/// Runs a blocking body on a thread of its own, so that it blocks nothing else.
package func onThread<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}
