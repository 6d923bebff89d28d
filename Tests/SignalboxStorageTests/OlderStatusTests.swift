import ExampleTesting
import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// What the status of a store says after a newer one was made.
@MainActor struct OlderStatusTests {
  private let storage = MemoryStorage()
  private let clock = TestClock()

  private func open(in storage: (any Storage)? = nil) -> TestStore<Note, Never> {
    let saved = SavedState.note(in: storage ?? self.storage)
    var note = Note()
    saved.restore(into: &note)
    return TestStore(state: note, hookable: Editor(saved: saved, clock: clock))
  }

  private func flush() async throws { try await SavedState.note(in: storage).flush() }

  @Test("P7 an older store is saved when its values are, though a newer one has typed on")
  func continued() async throws {
    let older = open()
    older.draft = "hello"
    let newest = open()
    newest.draft += " world"
    try await flush()
    #expect(storage.drafts == ["hello world"])
    #expect([older.saving, newest.saving] == [.saved, .saved])
  }

  @Test("P7 older stores are saved when a flush has kept what was typed in them")
  func keptByFlush() async throws {
    let (first, second, newest) = (open(), open(), open())
    first.draft = "first"
    second.draft = "second"
    newest.draft = "newest"
    guard case .failed = first.saving, case .failed = second.saving else {
      Issue.record("The status says nothing.")
      return
    }
    try await flush()
    #expect(storage.drafts == ["first", "second", "newest"])
    #expect([first.saving, second.saving, newest.saving] == [.saved, .saved, .saved])
  }

  @Test("P7 values whose file was damaged are saved again when a restore has found that out")
  func damaged() async throws {
    let store = open()
    store.draft = "hello"
    try await flush()
    storage["note"] = Data("no".utf8)
    var note = Note()
    SavedState.note(in: storage).restore(into: &note)
    #expect(store.saving == .pending)
    await store.settle()
    #expect(store.saving == .saved)
    #expect(storage.drafts == ["hello"])
  }

  @Test("P7 an older store whose save has failed is saved when a newer one continues its values")
  func failedBefore() async throws {
    let older = open()
    storage.isFailing = true
    older.draft = "hello"
    await #expect(throws: SaveError.self) { try await flush() }
    #expect(older.saving != .saved && older.saving != .pending)
    storage.isFailing = false
    let newest = open()
    newest.draft += " world"
    try await flush()
    #expect(storage.drafts == ["hello world"])
    #expect([older.saving, newest.saving] == [.saved, .saved])
  }

  @Test(
    "P7 P8 an older store is not saved while the newest values, which continue its own, are not")
  func newestNotSaved() async throws {
    let storage = FaultyStorage()
    let saved = SavedState.note(in: storage)
    let older = open(in: storage)
    storage.fault = .diskIsFull
    older.draft = "hello"
    await #expect(throws: SaveError.self) { try await saved.flush() }
    let newest = open(in: storage)
    newest.draft += " world"
    await #expect(throws: SaveError.self) { try await saved.flush() }
    #expect(older.saving != .saved && older.saving == newest.saving)
    storage.fault = .none
    try await saved.flush()
    #expect(storage.memory.drafts == ["hello world"])
    #expect([older.saving, newest.saving] == [.saved, .saved])
  }

  @Test("P7 a store that was the newest during a save is saved when that has ended")
  func betweenTwo() async throws {
    let storage = SlowStorage()
    let first = open(in: storage)
    first.draft = "hello"
    await clock.advance(by: .seconds(1))
    await storage.writes.next(timeout: .seconds(60))
    let (second, newest) = (open(in: storage), open(in: storage))
    #expect([second.saving, newest.saving] == [.pending, .pending])
    await storage.writes.reply(with: ())
    #expect([first.saving, second.saving, newest.saving] == [.saved, .saved, .saved])
  }

  @Test("P7 what is pending when a newer store is made in a batch is kept after the batch")
  func madeInBatch() async throws {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    let older = TestStore(state: note, interactor: BatchingEditor(saved: saved, clock: clock))
    older.draft = "before"
    let newer = Newer()
    older.send(.init(text: "after", between: { newer.store = open() }))
    await clock.advance(by: .seconds(1))
    #expect(storage.drafts == ["after"])
    #expect(older.saving == .saved)
    #expect(newer.store?.saving == .saved)
  }

  @MainActor private final class Newer { var store: TestStore<Note, Never>? }
}
