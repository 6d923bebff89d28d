import Dispatch
import Foundation

/// A timeout that elapses only while the main actor and the thread pool can run other work.
///
/// The time is divided into slices. Each slice ends only after the thread pool and the main actor
/// have had a turn, so a busy machine does not make a test fail (T3).
@MainActor final class Timeout {
  private let slice: Duration
  private var slices = 20

  init(_ timeout: Duration) { slice = max(timeout, .zero) / 20 }

  /// - Parameter happens: receives the closure to call when the event happens. It may call the
  ///   closure at once or later, on any thread.
  /// - Returns: `false` if the timeout elapsed first.
  func wait(until happens: (@escaping @Sendable () -> Void) -> Void) async -> Bool {
    await withCheckedContinuation { continuation in
      let callback = FirstCallback(continuation)
      happens { callback.give(true) }
      guard callback.isOpen else { return }
      Task {
        while slices > 0, callback.isOpen {
          await Self.pause(slice)
          slices -= 1
        }
        callback.give(false)
      }
    }
  }

  @concurrent private static func pause(_ duration: Duration) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + duration / .seconds(1)) {
        continuation.resume()
      }
    }
  }
}

/// Waits for the first of several callbacks.
///
/// They may come from any thread.
@MainActor func first(of happens: (@escaping @Sendable () -> Void) -> Void) async {
  _ = await withCheckedContinuation { continuation in
    let callback = FirstCallback(continuation)
    happens { callback.give(true) }
  }
}

/// Resumes a continuation with the first value given.
///
/// Later values are ignored.
private final class FirstCallback: Sendable {
  private let lock = NSLock()
  // Guarded by `lock`.
  private nonisolated(unsafe) var continuation: CheckedContinuation<Bool, Never>?

  init(_ continuation: CheckedContinuation<Bool, Never>) {
    unsafe self.continuation = continuation
  }

  var isOpen: Bool { lock.withLock { unsafe continuation != nil } }

  func give(_ value: Bool) {
    let open = lock.withLock { unsafe continuation.take() }
    open?.resume(returning: value)
  }
}
