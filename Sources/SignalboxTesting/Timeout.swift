import Dispatch
import Foundation

/// How long a test waits for what happens elsewhere, with a timeout as the only clock.
///
/// The time is taken in slices, and after each the main actor and the pool of threads have a turn:
/// when other tests keep them busy, nobody has been waiting in vain.
@MainActor final class Timeout {
  private let slice: Duration
  private var slices = 20

  init(_ timeout: Duration) { slice = max(timeout, .zero) / 20 }

  /// - Parameter happens: is handed what to call when it happens, from any thread; it may be at
  ///   once.
  /// - Returns: `false` if timeout ran out first.
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

/// Waits for the first of several callbacks, from whatever thread it comes.
@MainActor func first(of happens: (@escaping @Sendable () -> Void) -> Void) async {
  _ = await withCheckedContinuation { continuation in
    let callback = FirstCallback(continuation)
    happens { callback.give(true) }
  }
}

/// The first of two answers, whichever thread it comes from.
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
