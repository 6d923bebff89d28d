import ExampleTesting
import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Several stores of one `SavedState`, of which none overwrites what it does not come from.
@MainActor struct SeveralStoresTests {
  private let storage = MemoryStorage()
  private let clock = TestClock()

  private func store(_ saved: SavedState<Note>, _ note: Note) -> TestStore<Note, Never> {
    TestStore(state: note, hookable: Editor(saved: saved, clock: clock))
  }

  @Test("P5 a store comes from the bytes that it was restored from, also after an empty flush")
  func emptyFlush() async throws {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    var first: TestStore<Note, Never>? = store(saved, note)
    first?.draft = "one"
    try await saved.flush()
    saved.restore(into: &note)
    let second = store(saved, note)
    try await saved.flush()
    first = nil
    _ = first
    second.draft = "one, two"
    try await saved.flush()
    #expect(storage.restoredDraft == "one, two")
    #expect(storage.names == ["note"])
  }

  @Test("P5 P8 an untouched store that continues values does not replace them while they fail")
  func continuedWhileFailing() async throws {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    var first: TestStore<Note, Never>? = store(saved, note)
    storage.isFailing = true
    first?.draft = "one"
    first = nil
    _ = first
    saved.restore(into: &note)
    let flush = Task.atOnce { try await saved.flush() }
    let second = store(saved, note)
    _ = try? await flush.value
    storage.isFailing = false
    storage["note"] = file(draft: "edited")
    #expect(saved.restore(into: &note) == .restored)
    try await saved.flush()
    #expect(storage.drafts == ["one", "edited"])
    withExtendedLifetime(second) {}
  }

  @Test("P3 P8 what a program puts into a first state is saved by a flush during another save")
  func firstState() async throws {
    let storage = SlowStorage()
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    var first: TestStore<Note, Never>? = store(saved, note)
    first?.draft = "one"
    first = nil
    _ = first
    await storage.writes.next(timeout: .seconds(60))
    #expect(saved.restore(into: &note) == .restored)
    note.draft += ", two"
    let second = store(saved, note)
    let flush = Task.atOnce { try await saved.flush() }
    await storage.writes.reply(with: ())
    // The store whose values were written is gone, so no answer waits for what it still does.
    await storage.writes.next(timeout: .seconds(60))
    await storage.writes.reply(with: ())
    try await flush.value
    #expect(storage.draft == "one, two")
    #expect(second.saving == .saved)
  }

  @Test("P5 a flush without anything new leaves an edit of the file", arguments: [false, true])
  func edited(isTyped: Bool) async throws {
    storage["note"] = file(draft: "old")
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    let store = store(saved, note)
    if isTyped {
      store.draft = "typed"
      try await saved.flush()
    }
    storage["note"] = file(draft: "edited")
    try await saved.flush()
    #expect(storage.names == ["note"])
    #expect(storage["note"] == file(draft: "edited"))
  }

  @Test("P5 a flush without anything new leaves the file as a person has formatted it")
  func formatted() async throws {
    let bytes = Data("// signalbox 1, version 2\n{draft: 'old', to: [] /* none */}".utf8)
    storage["note"] = bytes
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .restored)
    let store = store(saved, note)
    try await saved.flush()
    #expect(storage["note"] == bytes)
    withExtendedLifetime(store) {}
  }

  @Test("P3 P5 an edit stays in its place until the write that replaces it has succeeded")
  func fullDisk() async throws {
    let storage = FaultyStorage()
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    let store = store(saved, note)
    store.draft = "one"
    try await saved.flush()
    storage.memory["note"] = file(draft: "edited")
    storage.fault = .diskIsFull
    store.draft = "two"
    await #expect(throws: SaveError.self) { try await saved.flush() }
    await #expect(throws: SaveError.self) { try await saved.flush() }
    #expect(storage.memory["note"] == file(draft: "edited"))
    storage.fault = .none
    try await saved.flush()
    #expect(storage.memory.restoredDraft == "two")
    #expect(storage.memory.drafts == ["edited", "two"])
    #expect(storage.memory.names == ["note", "note.damaged-1"])
  }

  @Test(
    "P5 P8 a restore that fails once does not end the saves of a store that comes from the file")
  func failsOnce() async throws {
    storage["note"] = file(draft: "old")
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    let store = store(saved, note)
    store.draft = "one"
    try await saved.flush()
    storage.isFailing = true
    guard case .unavailable = saved.restore(into: &note) else {
      Issue.record("The file was read.")
      return
    }
    storage.isFailing = false
    store.draft = "two"
    try await saved.flush()
    #expect(storage.restoredDraft == "two")
    #expect(storage.names == ["note"])
  }

  @Test("P5 P8 what a restore could not read is tried again until it is gone")
  func gone() async throws {
    storage["note"] = file(draft: "old")
    storage.isFailing = true
    let saved = SavedState.note(in: storage)
    var note = Note()
    guard case .unavailable = saved.restore(into: &note) else { return #expect(note == Note()) }
    let store = store(saved, note)
    store.draft = "x"
    storage.isFailing = false
    await clock.advance(by: .seconds(1))
    #expect(storage["note"] == file(draft: "old"))
    storage["note"] = nil
    await clock.advance(by: .seconds(60))
    #expect(storage.restoredDraft == "x")
    #expect(store.saving == .saved)
  }

  @Test("P5 P8 values that cannot be kept beside the file do not stop those of a later store")
  func blocked() async throws {
    let storage = FaultyStorage()
    storage.memory["note"] = file(draft: "first")
    var taken = try storage.memory.lock("note")
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .busy)
    var first: TestStore<Note, Never>? = store(saved, note)
    first?.draft = "x"
    _ = taken
    taken = nil
    storage.fault = .nothingCanBeKept
    #expect(saved.restore(into: &note) == .restored)
    first = nil
    _ = first
    let second = store(saved, note)
    second.draft = "second"
    await #expect(throws: SaveError.self) { try await saved.flush() }
    #expect(storage.memory.restoredDraft == "second")
    #expect(second.saving != .saved)
    storage.fault = .none
    try await saved.flush()
    #expect(storage.memory.restoredDraft == "second")
    #expect(storage.memory.drafts == ["x", "second"])
    #expect(second.saving == .saved)
  }
}
