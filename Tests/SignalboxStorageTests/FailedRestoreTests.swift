import ExampleTesting
import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// Stores that are made before or after a restore that fails.
@MainActor struct FailedRestoreTests {
  private let storage = MemoryStorage()
  private let original = file(draft: "first")

  private func store(_ saved: SavedState<Note>, _ note: Note) -> Store<Note, Never> {
    Store(state: note, hookable: Editor(saved: saved, clock: TestClock()))
  }

  private var drafts: Set<String> { storage.drafts }

  @Test("P6 a newer file is not overwritten, also after a restore that found the file busy")
  func newer() async throws {
    storage["note"] = original
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .restored)
    let store = store(saved, note)
    let newer = file(draft: "newer", version: 3)
    storage["note"] = newer
    #expect(saved.restore(into: &note) == .newer(3))
    var taken = try storage.lock("note")
    #expect(saved.restore(into: &note) == .busy)
    store.binder.draft.wrappedValue = "x"
    await #expect(throws: SaveError.busy) { try await saved.flush() }
    _ = taken
    taken = nil
    await #expect(throws: SaveError.newer(3)) { try await saved.flush() }
    #expect(storage["note"] == newer)
  }

  @Test("P5 P6 a file that could not be migrated or set aside is kept", arguments: [true, false])
  func notSetAside(isMadeBefore: Bool) async throws {
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder.path)
    let path = folder.path + "/note.json"
    // A version without a step to the next one.
    let old = Data("// signalbox 1, version 1\n{\"draft\": \"old\"}".utf8)
    let saved = SavedState<Note>("note", version: 2, in: FileStorage(folder: url))
      .property("draft", \.draft)
    var note = Note()
    var first: Store<Note, Never>?
    if isMadeBefore {
      #expect(saved.restore(into: &note) == .nothing)
      first = store(saved, note)
    }
    try old.write(to: URL(filePath: path))
    try? FileManager.default.removeItem(atPath: path + ".lock")
    try FileManager.default.createDirectory(
      atPath: path + ".lock", withIntermediateDirectories: false)
    guard case .unavailable = saved.restore(into: &note) else { return #expect(note == Note()) }
    let store = first ?? store(saved, note)
    store.binder.draft.wrappedValue = "x"
    guard case .unavailable = saved.restore(into: &note) else {
      Issue.record("The file was neither restored nor set aside.")
      return
    }
    #expect(note == Note())
    try FileManager.default.removeItem(atPath: path + ".lock")
    await #expect(throws: SaveError.self) { try await saved.flush() }
    #expect(try Data(contentsOf: URL(filePath: path)) == old)
    #expect(saved.restore(into: &note) == .restored)
    #expect(note.draft == "x")
    #expect(saved.damage?.contains("no migration from version 1") == true)
    try await saved.flush()
    #expect(try Data(contentsOf: URL(filePath: path + ".damaged-1")) == old)
  }

  @Test("P5 what was typed after busy is not overwritten by the store that continues the file")
  func typedWhileBusy() async throws {
    storage["note"] = original
    var taken = try storage.lock("note")
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .busy)
    var store: Store<Note, Never>? = store(saved, note)
    store?.binder.draft.wrappedValue = "x"
    _ = taken
    taken = nil
    #expect(saved.restore(into: &note) == .restored)
    let second = self.store(saved, note)
    store = nil
    _ = store
    try await saved.flush()
    second.binder.draft.wrappedValue = "second"
    try await saved.flush()
    #expect(storage.restoredDraft == "second")
    // The second store continues "first".
    #expect(drafts == ["x", "second"])
  }

  enum First: CaseIterable { case typed, tried, closed }

  @Test(
    "P7 what was typed after a failed restore is kept beside the file that a newer store continues",
    arguments: First.allCases, [false, true])
  func superseded(first case: First, isBusy: Bool) async throws {
    storage["note"] = original
    var taken = isBusy ? try storage.lock("note") : nil
    storage.isFailing = !isBusy
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) != .nothing)
    var first: Store<Note, Never>? = store(saved, note)
    first?.binder.draft.wrappedValue = "scrap"
    if `case` == .closed { first = nil }
    if `case` != .typed { await #expect(throws: SaveError.self) { try await saved.flush() } }
    _ = taken
    taken = nil
    storage.isFailing = false
    #expect(saved.restore(into: &note) == .restored)
    var second: Store<Note, Never>? = store(saved, note)
    try await saved.flush()
    #expect(storage["note"] == original)
    second = nil
    first = nil
    _ = (first, second)
    try await saved.flush()
    #expect(storage["note"] == original)
    #expect(drafts == ["first", "scrap"])
  }

  @Test("P7 what was typed after a failed restore is continued if there is no file")
  func continuedWithoutFile() async throws {
    var taken = try storage.lock("note")
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .busy)
    let first = store(saved, note)
    first.binder.draft.wrappedValue = "typed"
    _ = taken
    taken = nil
    #expect(saved.restore(into: &note) == .restored)
    let second = store(saved, note)
    second.binder.draft.wrappedValue += ", and more"
    try await saved.flush()
    #expect(storage.restoredDraft == "typed, and more")
    #expect(storage.names == ["note"])
    withExtendedLifetime(first) {}
  }

  @Test("P5 two stores that are made after restores that failed overwrite nothing of each other")
  func twoFailed() async throws {
    storage["note"] = original
    var taken = try storage.lock("note")
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .busy)
    var first: Store<Note, Never>? = store(saved, note)
    #expect(saved.restore(into: &note) == .busy)
    let second = store(saved, note)
    first?.binder.draft.wrappedValue = "x"
    second.binder.draft.wrappedValue = "y"
    _ = taken
    taken = nil
    try await saved.flush()
    first = nil
    _ = first
    try await saved.flush()
    #expect(storage.restoredDraft == "y")
    #expect(drafts == ["first", "x", "y"])
  }

  @Test("P5 a store in which nothing was typed after a failed restore sets nothing aside")
  func untouched() async throws {
    storage["note"] = original
    var taken = try storage.lock("note")
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .busy)
    let store = store(saved, note)
    _ = taken
    taken = nil
    await #expect(throws: SaveError.busy) { try await saved.flush() }
    #expect(storage.names == ["note"])
    #expect(storage["note"] == original)
    store.binder.draft.wrappedValue = "x"
    try await saved.flush()
    #expect(drafts == ["first", "x"])
  }

  @Test("P5 P8 what was typed after a failed restore is saved, also if the first attempt failed")
  func failedAttempt() async throws {
    storage["note"] = original
    storage.isFailing = true
    let saved = SavedState.note(in: storage)
    var note = Note()
    guard case .unavailable = saved.restore(into: &note) else { return #expect(note == Note()) }
    var store: Store<Note, Never>? = store(saved, note)
    store?.binder.draft.wrappedValue = "x"
    await #expect(throws: SaveError.self) { try await saved.flush() }
    store = nil
    _ = store
    await #expect(throws: SaveError.self) { try await saved.flush() }
    storage.isFailing = false
    #expect(saved.restore(into: &note) == .restored)
    #expect(note.draft == "first")
    let second = self.store(saved, note)
    second.binder.draft.wrappedValue = "second"
    try await saved.flush()
    #expect(storage.restoredDraft == "second")
    // The second store continues "first".
    #expect(drafts == ["x", "second"])
  }

  @Test("P5 P8 what is pending when a restore succeeds is tried again without another change")
  func triedAgain() async throws {
    storage["note"] = original
    storage.isFailing = true
    let clock = TestClock()
    let saved = SavedState.note(in: storage)
    var note = Note()
    guard case .unavailable = saved.restore(into: &note) else { return #expect(note == Note()) }
    let store = TestStore<Note, Never>(state: note, hookable: Editor(saved: saved, clock: clock))
    store.draft = "x"
    await #expect(throws: SaveError.self) { try await saved.flush() }
    storage.isFailing = false
    #expect(saved.restore(into: &note) == .restored)
    await clock.advance(by: .seconds(60))
    #expect(store.saving == .saved)
    #expect(drafts == ["first", "x"])
  }

  @Test("P8 a change during the save of another store's values loses neither")
  func duringAttempt() async throws {
    let storage = SlowStorage()
    let clock = TestClock()
    storage.memory["note"] = original
    var taken = try storage.memory.lock("note")
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .busy)
    var store: TestStore<Note, Never>? = TestStore(
      state: note, hookable: Editor(saved: saved, clock: clock))
    store?.draft = "w"
    await #expect(throws: SaveError.busy) { try await saved.flush() }
    #expect(saved.restore(into: &note) == .busy)
    _ = taken
    taken = nil
    let second = TestStore<Note, Never>(state: note, hookable: Editor(saved: saved, clock: clock))
    let flush = Task { try await saved.flush() }
    await storage.writes.next(timeout: .seconds(60))
    store?.draft = "x"
    store = nil
    _ = store
    second.draft = "second"
    await storage.writes.reply(with: ())
    try await flush.value
    await clock.advance(by: .seconds(1))
    await storage.writes.reply(with: ())
    #expect(second.saving == .saved)
    let names = storage.memory.names
    #expect(names == ["note", "note.damaged-1", "note.damaged-2", "note.damaged-3"])
    #expect(storage.memory.drafts == ["first", "w", "x", "second"])
    #expect(storage.draft == "second")
  }

  @Test("P8 the status of a store tells that the values of an earlier one are not stored")
  func statusOfNext() async throws {
    let clock = TestClock()
    let saved = SavedState.note(in: storage)
    var note = Note()
    #expect(saved.restore(into: &note) == .nothing)
    var store: TestStore<Note, Never>? = TestStore(
      state: note, hookable: Editor(saved: saved, clock: clock))
    store?.draft = "x"
    storage.isFailing = true
    await #expect(throws: SaveError.self) { try await saved.flush() }
    store = nil
    _ = store
    guard case .restored = saved.restore(into: &note) else {
      Issue.record("The values that are pending were not restored.")
      return
    }
    let second = TestStore<Note, Never>(state: note, hookable: Editor(saved: saved, clock: clock))
    #expect(second.saving != .saved)
    await clock.advance(by: .seconds(10))
    let error = SaveError.unavailable("The storage in memory was told to fail.")
    #expect(second.saving == .failed(error.description))
    storage.isFailing = false
    await clock.advance(by: .seconds(60))
    #expect(second.saving == .saved)
    #expect(drafts == ["x"])
  }
}
