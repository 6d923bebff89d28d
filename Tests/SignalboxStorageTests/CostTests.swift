import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// What a save costs on the main actor.
@MainActor struct CostTests {
  private struct List: Sendable {
    var items: [Int] = []
    var watched = Watched()

    @MainActor var address: Int {
      unsafe items.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    }
  }

  /// Notes whether it is encoded and decoded on the main actor.
  private struct Watched: Codable, Equatable, Sendable {
    static let wasOnMainActor = LockedValue<[Bool]>([])

    init() {}
    init(from decoder: any Decoder) throws { Self.note() }
    func encode(to encoder: any Encoder) throws {
      Self.note()
      _ = encoder.container(keyedBy: Key.self)
    }
    private static func note() { wasOnMainActor.withLock { $0.append(MainQueue.isCurrent) } }
    private enum Key: CodingKey {}
  }

  private enum Hook: CaseIterable { case changed }

  private struct Saving: Interactor {
    let saved: SavedState<List>
    let clock: TestClock

    func onAction(_ action: Int, store: MutatingStore<List, Int>) async {
      store.items.append(action)
    }

    func subscription(for hook: Hook, store: MutatingStore<List, Int>) -> Subscription {
      saved.autosave(store, clock: clock)
    }
  }

  @Test("P4 an array that is saved is not copied while it waits, nor while it is written")
  func noCopy() async throws {
    let storage = SlowStorage()
    let clock = TestClock()
    let saved = SavedState<List>("note", in: storage).property("items", \.items)
    var list = List()
    list.items.reserveCapacity(100_000)
    list.items += 0..<1_000
    let address = list.address
    let store = Store(state: list, interactor: Saving(saved: saved, clock: clock))
    list = List()
    store.send(1)
    store.send(2)
    #expect(store.state.address == address)
    let flush = Task { try await saved.flush() }
    // It is encoded when it is written.
    await storage.writes.next(timeout: .seconds(60))
    store.send(3)
    #expect(store.state.address == address)
    await storage.writes.reply(with: ())
    try await flush.value
    store.send(4)
    #expect(store.state.address == address)
  }

  @Test("P4 values are encoded and checked off the main actor")
  func offMainActor() async throws {
    let saved = SavedState<List>("note", in: MemoryStorage()).property("watched", \.watched)
    let store = Store(state: List(), interactor: Saving(saved: saved, clock: TestClock()))
    try await saved.flush()
    #expect(Watched.wasOnMainActor.withLock { $0 } == [false, false, false])
    withExtendedLifetime(store) {}
  }

  @Test("P10 a scan of deep arrays and of many fields costs time in proportion to the bytes")
  func scan() {
    struct State: Sendable { var text = "" }
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let many = (0..<20_000).map { "\"field \($0)\": \($0)" }.joined(separator: ",")
    let storage = MemoryStorage()
    storage["note"] = Data(
      "// signalbox 1, version 1\n{\(many), \"text\": \"x\", \"deep\": \(deep)}".utf8)
    var state = State()
    let saved = SavedState<State>("note", in: storage).property("text", \.text)
    // Quadratic time would be minutes.
    #expect(saved.restore(into: &state) == .restored)
    #expect(state.text == "x")
  }

  /// Notes whether it is encoded and decoded on the main actor, and may be nested.
  private struct Migrated: Codable, Sendable {
    static let wasOnMainActor = LockedValue<[Bool]>([])
    var parts: [Migrated] = []

    init(parts: [Migrated] = []) { self.parts = parts }
    init(from decoder: any Decoder) throws {
      parts = try decoder.singleValueContainer().decode([Migrated].self)
      Self.note()
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(parts)
      Self.note()
    }
    private static func note() { wasOnMainActor.withLock { $0.append(MainQueue.isCurrent) } }
  }

  @Test("P10 P11 a migration has a thread of its own only for values that are nested deep")
  func migration() {
    let storage = MemoryStorage()
    func wasOnMainActor(_ json: String, _ change: @escaping (Migrated) -> Migrated) -> [Bool] {
      storage["note"] = Data("// signalbox 1, version 1\n{\"a\": \(json)}".utf8)
      let saved = SavedState<Note>("note", version: 2, in: storage).property("draft", \.draft)
        .migration(from: 1) { values in try values.change("a", from: Migrated.self, change) }
      Migrated.wasOnMainActor.withLock { $0 = [] }
      var note = Note()
      #expect(saved.restore(into: &note) == .migrated(from: 1))
      return Migrated.wasOnMainActor.withLock { $0 }
    }
    let many = "[\(Array(repeating: "[]", count: 9).joined(separator: ","))]"
    #expect(!wasOnMainActor(many) { $0 }.contains(false))
    let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    #expect(!wasOnMainActor(deep) { _ in Migrated() }.prefix(100).contains(true))
    let nested = wasOnMainActor("[]") { value in
      (0..<100).reduce(value) { value, _ in Migrated(parts: [value]) }
    }
    #expect(!nested.suffix(101).contains(true))
  }
}
