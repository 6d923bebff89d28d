import ExampleTesting
import Foundation
import Signalbox
import SignalboxStorage
import Testing

/// How much of a file restores hold.
@MainActor struct HeldBytesTests {
  /// Counts the bytes that it has given away and that something still holds.
  private final class CountedStorage: Storage {
    let memory = MemoryStorage()
    private let count = LockedValue(0)

    var held: Int { count.withLock { $0 } }

    func read(_ name: String) throws -> Data? {
      guard let data = memory[name] else { return nil }
      let bytes = NSMutableData(data: data)
      count.withLock { $0 += 1 }
      return unsafe Data(
        bytesNoCopy: bytes.mutableBytes, count: data.count,
        deallocator: .custom { [count] _, _ in
          withExtendedLifetime(bytes) {}
          count.withLock { $0 -= 1 }
        })
    }

    func lock(_ name: String) throws -> (any StorageLock)? { try memory.lock(name) }
    @concurrent func write(_ data: Data, to name: String) async throws {
      try await memory.write(data, to: name)
    }
    @concurrent func sync(_ name: String) async throws {}
    func setAside(_ name: String) throws -> String { try memory.setAside(name) }
    func keep(_ data: Data, beside name: String) throws -> String {
      try memory.keep(data, beside: name)
    }
  }

  @Test("P5 restores of a file do not hold the bytes of each", arguments: [true, false])
  func restores(isChanged: Bool) {
    let storage = CountedStorage()
    let saved = SavedState.note(in: storage)
    var note = Note()
    for number in 1...100 {
      storage.memory["note"] = file(draft: isChanged ? "\(number)" : "same")
      #expect(saved.restore(into: &note) == .restored)
    }
    #expect(storage.held < 5)
  }
}
