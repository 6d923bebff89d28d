import ExampleTesting
import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Which of the values of several stores go into the file, and that none of them get lost.
@MainActor struct NewestValuesTests {
  private let storage = MemoryStorage()
  private let clock = TestClock()

  private func store(_ saved: SavedState<Note>, _ note: Note) -> TestStore<Note, Never> {
    TestStore(state: note, hookable: Editor(saved: saved, clock: clock))
  }

  @Test("P8 what was typed last goes into the file, whichever hook has ended last")
  func endedEarlier() async throws {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    var first: TestStore<Note, Never>? = store(saved, note)
    var second: TestStore<Note, Never>? = store(saved, note)
    second?.draft = "earlier"
    second = nil
    _ = second
    first?.draft = "later"
    first = nil
    _ = first
    try await saved.flush()
    #expect(storage.restoredDraft == "later")
    #expect(storage.drafts == ["earlier", "later"])
  }

  @Test("P7 P8 what was typed earlier in a store that waits is kept beside the file")
  func waitsLonger() async throws {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    var first: TestStore<Note, Never>? = store(saved, note)
    let second = store(saved, note)
    second.draft = "earlier"
    first?.draft = "later"
    first = nil
    _ = first
    try await saved.flush()
    #expect(storage.restoredDraft == "later")
    #expect(storage.drafts == ["earlier", "later"])
    #expect(second.saving == .saved)
    second.draft = "last"
    try await saved.flush()
    #expect(storage.restoredDraft == "last")
    #expect(storage.drafts == ["earlier", "later", "last"])
  }

  @Test("P7 P8 what was typed later in a store that waits goes into the file")
  func typedLater() async throws {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    var first: TestStore<Note, Never>? = store(saved, note)
    let second = store(saved, note)
    first?.draft = "earlier"
    second.draft = "later"
    first = nil
    _ = first
    try await saved.flush()
    #expect(storage.restoredDraft == "later")
    #expect(storage.drafts == ["earlier", "later"])
    #expect(second.saving == .saved)
  }

  @Test("P7 P8 a flush saves what waited, if the hook that saves ends before the flush")
  func endsDuringFlush() async throws {
    let storage = SlowStorage()
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    var first: TestStore<Note, Never>? = store(saved, note)
    let second = store(saved, note)
    first?.draft = "earlier"
    second.draft = "later"
    let flush = Task { try await saved.flush() }
    await storage.writes.next(timeout: .seconds(60))
    first = nil
    _ = first
    await storage.writes.reply(with: ())
    await storage.writes.next(timeout: .seconds(60))
    await storage.writes.reply(with: ())
    try await flush.value
    #expect(storage.draft == "later")
    #expect(storage.memory.drafts == ["earlier", "later"])
    #expect(second.saving == .saved)
  }

  @Test("P8 what was typed earlier does not replace what a person has made of the newest values")
  func editedNewest() async throws {
    let storage = FaultyStorage()
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    var first: TestStore<Note, Never>? = store(saved, note)
    var second: TestStore<Note, Never>? = store(saved, note)
    second?.draft = "earlier"
    second = nil
    _ = second
    first?.draft = "later"
    storage.fault = .nothingCanBeKept
    await #expect(throws: SaveError.busy) { try await saved.flush() }
    first = nil
    _ = first
    await #expect(throws: SaveError.self) { try await saved.flush() }
    storage.memory["note"] = file(draft: "later, edited")
    storage.fault = .none
    try await saved.flush()
    #expect(storage.memory.restoredDraft == "later, edited")
    #expect(storage.memory.drafts == ["earlier", "later, edited"])
  }

  @Test("P8 a restore does not find what was typed before the text that is in the file")
  func restoredEarlier() async throws {
    let storage = FaultyStorage()
    storage.memory["note"] = file(draft: "old", to: "[\n\n  ]")
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    var first: TestStore<Note, Never>? = store(saved, note)
    var second: TestStore<Note, Never>? = store(saved, note)
    first?.draft = "other"
    second?.draft = "earlier"
    second = nil
    _ = second
    first?.draft = "old"
    await #expect(throws: SaveError.busy) { try await saved.flush() }
    storage.fault = .nothingCanBeKept
    first = nil
    _ = first
    await #expect(throws: SaveError.self) { try await saved.flush() }
    #expect(saved.restore(into: &note) == .restored)
    #expect(note.draft == "old")
    storage.fault = .none
    try await saved.flush()
    #expect(storage.memory.restoredDraft == "old")
    #expect(storage.memory.drafts == ["earlier", "old"])
  }

  @Test(
    "P8 the values of a first state whose save has failed are not dropped for those of another",
    arguments: [false, true])
  func firstState(isTypedDuringSave: Bool) async throws {
    let storage = FaultyStorage()
    storage.memory["note"] = file(draft: "old")
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .restored)
    var first: TestStore<Note, Never>? = store(saved, Note(draft: "new"))
    let second = store(saved, note)
    storage.fault = .diskIsFull
    await #expect(throws: SaveError.self) { try await saved.flush() }
    // Its save begins here.
    first = nil
    _ = first
    if !isTypedDuringSave { await #expect(throws: SaveError.self) { try await saved.flush() } }
    second.draft = "second"
    await #expect(throws: SaveError.self) { try await saved.flush() }
    storage.fault = .none
    try await saved.flush()
    #expect(storage.memory.restoredDraft == "second")
    #expect(storage.memory.drafts == ["new", "second"])
  }

  @Test("P5 bytes of a save that has failed are not taken for those of another program")
  func failedTwice() async throws {
    let storage = FaultyStorage()
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    let store = store(saved, note)
    store.draft = "first"
    try await saved.flush()
    store.draft = "a"
    storage.fault = .namesAreNotSynced
    await #expect(throws: SaveError.self) { try await saved.flush() }
    #expect(storage.memory.restoredDraft == "a")
    store.draft = "b"
    storage.fault = .diskIsFull
    await #expect(throws: SaveError.self) { try await saved.flush() }
    #expect(storage.memory.restoredDraft == "a")
    store.draft = "c"
    storage.fault = .none
    try await saved.flush()
    #expect(storage.memory.restoredDraft == "c")
    #expect(storage.memory.names == ["note"])
  }

  @Test("P5 a restore during a save says that the file is in use, and another one succeeds")
  func restoredDuringSave() async throws {
    let storage = SlowStorage()
    storage.memory["note"] = file(draft: "old")
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .restored)
    let store = store(saved, note)
    storage.memory.isFailing = true
    guard case .unavailable = saved.restore(into: &note) else { return #expect(note == Note()) }
    storage.memory.isFailing = false
    store.draft = "typed"
    await clock.advance(by: .seconds(1))
    await storage.writes.next(timeout: .seconds(60))
    let outcome = saved.restore(into: &note)
    #expect(outcome == .unavailable("A save is using it at this moment. Try again."))
    await storage.writes.reply(with: ())
    #expect(store.saving == .saved)
    #expect(saved.restore(into: &note) == .restored)
    #expect(note.draft == "typed")
  }
}
