import ExampleTesting
import Foundation
import SignalboxStorage
import SignalboxTesting

/// A storage in memory whose writes end or fail when the test says so.
final class SlowStorage: Storage {
  let writes: TestEndpoint<String, Void>
  let memory = MemoryStorage()

  init(_ writes: TestEndpoint<String, Void> = TestEndpoint("write")) { self.writes = writes }

  func lock(_ name: String) throws -> (any StorageLock)? {
    try memory.lock(name).map { Lock($0, unlocks: unlocks) }
  }
  func read(_ name: String) throws -> Data? { try memory.read(name) }
  func setAside(_ name: String) throws -> String { try memory.setAside(name) }
  func keep(_ data: Data, beside name: String) throws -> String {
    try memory.keep(data, beside: name)
  }

  @concurrent func write(_ data: Data, to name: String) async throws {
    try await writes(String(decoding: data, as: UTF8.self))
    try await memory.write(data, to: name)
  }

  @concurrent func sync(_ name: String) async throws {}

  /// The newest draft that is stored.
  var draft: String? {
    memory.restoredDraft
  }

  /// Counts the locks that have ended.
  let unlocks = Log<Int>()

  private final class Lock: StorageLock {
    // Written only by `init` and `deinit`.
    private nonisolated(unsafe) var lock: (any StorageLock)?
    private let unlocks: Log<Int>

    init(_ lock: any StorageLock, unlocks: Log<Int>) {
      unsafe self.lock = lock
      self.unlocks = unlocks
    }

    deinit {
      unsafe lock = nil
      unlocks.append([1])
    }

    var isHeld: Bool { unsafe lock?.isHeld ?? false }
  }
}
