import ExampleTesting
import Foundation
import Signalbox
import SignalboxStorage
import Testing

/// How much of a file, and of the values of a store, restores hold.
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

  /// Counts the values that something still holds.
  private final class Held: Sendable {
    static let count = LockedValue(0)
    init() { Self.count.withLock { $0 += 1 } }
    deinit { Self.count.withLock { $0 -= 1 } }
  }

  private struct Counted: Codable, Equatable, Sendable {
    var number = 0
    private let held = Held()

    init(_ number: Int) { self.number = number }
    private enum CodingKeys: CodingKey { case number }
    static func == (a: Counted, b: Counted) -> Bool { a.number == b.number }
  }

  private struct Tally: Sendable { var counted = Counted(0) }

  @Test("P5 restores while a save is pending do not hold the values of each, and no value is lost")
  func pending() async throws {
    let storage = MemoryStorage()
    let saved = SavedState<Tally>("tally", in: storage).property("counted", \.counted)
    let store = Store<Tally, Never>(state: Tally(), hookable: Autosaving(saved: saved))
    try await saved.flush()
    var tally = Tally()
    for number in 1...100 {
      store.binder.counted.wrappedValue = Counted(number)
      #expect(saved.restore(into: &tally) == .restored)
    }
    #expect(Held.count.withLock { $0 } < 10)
    let second = Store<Tally, Never>(state: tally, hookable: Autosaving(saved: saved))
    second.binder.counted.wrappedValue = Counted(101)
    try await saved.flush()
    let texts = storage.names.compactMap { storage[$0] }.map { String(decoding: $0, as: UTF8.self) }
    #expect(texts.count == 2 && texts[0].contains(": 101") && texts[1].contains(": 100"))
    withExtendedLifetime(store) {}
  }
}
