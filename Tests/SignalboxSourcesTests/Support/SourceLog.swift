import ExampleTesting
import Foundation
import Signalbox
import Testing

/// Records values in order, and lets a test wait for the next one instead of sleeping.
@MainActor final class SourceLog<Entry> {
  private(set) var entries: [Entry] = []
  private(set) var isFinished = false
  private var waiting: [(condition: () -> Bool, continuation: CheckedContinuation<Void, Never>)] =
    []

  /// Subscribes to a signal and records its values.
  func record(_ signal: Signal<Entry>) -> Subscription {
    signal.sink(
      receiveCompletion: {
        self.isFinished = true
        self.hasChanged()
      },
      receiveValue: {
        self.entries.append($0)
        self.hasChanged()
      })
  }

  private func hasChanged() {
    let ready = waiting.filter { $0.condition() }
    waiting.removeAll { $0.condition() }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Returns when a condition of the entries holds.
  func until(_ condition: @escaping ([Entry]) -> Bool) async {
    await wait { condition(self.entries) }
  }

  /// Returns when `count` values have arrived.
  func reach(_ count: Int) async { await wait { self.entries.count >= count } }

  /// Returns when the signal has finished.
  func finish() async { await wait { self.isFinished } }

  private func wait(_ condition: @escaping () -> Bool) async {
    guard !condition() else { return }
    let patience = Patience()
    var isGivenUp = false
    // Only ensures that a failing test ends.
    let timer = Task {
      while patience.isLeft { try await Task.sleep(for: .milliseconds(500)) }
      Issue.record("Nothing more has arrived after \(entries.suffix(5)).")
      isGivenUp = true
      hasChanged()
    }
    await withCheckedContinuation { waiting.append(({ isGivenUp || condition() }, $0)) }
    timer.cancel()
  }
}

/// The open descriptors of this process.
enum Descriptors {
  static var count: Int {
    #if os(Linux)
    let folder = "/proc/self/fd"
    #else
    let folder = "/dev/fd"
    #endif
    return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? -1
  }

  /// Sets how many this process may have.
  static func limit(to count: Int) {
    var limit = rlimit()
    #if os(Linux)
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let files = RLIMIT_NOFILE
    #endif
    _ = unsafe getrlimit(files, &limit)
    limit.rlim_cur = rlim_t(count)
    _ = unsafe setrlimit(files, &limit)
  }

  /// Returns whether the number falls again to what it was, which it does soon after sources have
  /// ended.
  ///
  /// Call it in a process of its own, because other tests open descriptors, too. Use many sources: the
  /// system keeps some descriptors from the first use on, and a leak takes one for each source.
  static func fall(to before: Int) async -> Bool { await reach { count <= before + 20 } }

  /// Returns whether a condition holds once sources have closed their descriptors.
  @MainActor static func reach(_ condition: @MainActor () -> Bool) async -> Bool {
    // A descriptor is closed on a queue of its source.
    for _ in 0..<1_000_000 {
      if condition() { return true }
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume() }
      }
    }
    return false
  }
}
