import ExampleTesting
import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Which of the values of several stores go into the file, and that none get lost.
@MainActor struct NewestValuesTests {
  private let storage = MemoryStorage()
  private let clock = TestClock()

  private func store(_ saved: SavedState<Note>, _ note: Note) -> TestStore<Note, Never> {
    TestStore(state: note, hookable: Editor(saved: saved, clock: clock))
  }

  @Test("P7 the newest store writes, and what is typed in an older one is kept when that ends")
  func olderEndsFirst() async throws {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    var first: TestStore<Note, Never>? = store(saved, note)
    saved.restore(into: &note)
    let second = store(saved, note)
    second.draft = "second"
    first?.draft = "first"
    guard case .failed(let reason) = first?.saving else {
      Issue.record("The status says nothing.")
      return
    }
    #expect(reason.contains("beside the file when this one ends"))
    await clock.advance(by: .seconds(2))
    #expect(storage.drafts == ["second"])
    first = nil
    _ = first
    try await saved.flush()
    #expect(storage.restoredDraft == "second")
    #expect(storage.drafts == ["first", "second"])
    #expect(second.saving == .saved)
  }

  @Test("P7 what was typed in an older store is kept when the newest one ends, and then it writes")
  func newestEndsFirst() async throws {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    let first = store(saved, note)
    var second: TestStore<Note, Never>? = store(saved, note)
    first.draft = "first"
    second?.draft = "second"
    second = nil
    _ = second
    try await saved.flush()
    #expect(storage.restoredDraft == "second")
    #expect(storage.drafts == ["first", "second"])
    #expect(first.saving == .saved)
    first.draft = "first, more"
    try await saved.flush()
    #expect(storage.restoredDraft == "first, more")
    #expect(storage.drafts == ["first", "second", "first, more"])
  }

  @Test("P3 P7 a flush keeps what was typed in an older store, once")
  func flushKeepsOlder() async throws {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    var first: TestStore<Note, Never>? = store(saved, note)
    let second = store(saved, note)
    first?.draft = "first"
    try await saved.flush()
    #expect(storage.drafts.contains("first"))
    first = nil
    _ = first
    second.draft = "second"
    try await saved.flush()
    #expect(storage.names == ["note", "note.damaged-1"])
    #expect(storage.drafts == ["first", "second"])
  }

  @Test("P7 two SavedStates of a factory function share the file, also while a save is pending")
  func factory() async throws {
    let folder = try TemporaryFolder()
    // As `SavedState("note", in: FileStorage(folder: …))` in a function makes them.
    func saved() -> SavedState<Note> {
      .note(in: FileStorage(folder: URL(filePath: folder.path)))
    }
    var old: SavedState<Note>? = saved()
    var note = Note()
    #expect(old?.restore(into: &note) == .nothing)
    var first = old.map { store($0, note) }
    first?.draft = "typed"
    let next = saved()
    #expect(next.restore(into: &note) == .restored)
    #expect(note.draft == "typed")
    let second = store(next, note)
    first = nil
    old = nil
    _ = (first, old)
    second.draft = "typed, and more"
    try await next.flush()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["note.json", "note.json.lock"])
    #expect(saved().restore(into: &note) == .restored)
    #expect(note.draft == "typed, and more")
  }

  @Test("P7 a SavedState with other properties finds values that are pending")
  func otherProperties() {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    let first = store(saved, note)
    first.draft = "typed"
    var other = Note()
    let next = SavedState<Note>("note", version: 3, in: storage).property("text", \.draft)
      .migration(from: 2) { values in values.rename("draft", to: "text") }
    #expect(next.restore(into: &other) == .migrated(from: 2))
    #expect(other.draft == "typed")
    let old = SavedState<Note>("note", version: 1, in: storage).property("text", \.draft)
    #expect(old.restore(into: &other) == .newer(2))
  }

  @Test("P7 what a newer store does not continue is kept beside the file before it is replaced")
  func notContinued() async throws {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    let first = store(saved, note)
    first.draft = "first"
    // Without a restore.
    let second = store(saved, Note())
    second.draft = "second"
    try await saved.flush()
    #expect(storage.restoredDraft == "second")
    #expect(storage.drafts == ["first", "second"])
    withExtendedLifetime(first) {}
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
