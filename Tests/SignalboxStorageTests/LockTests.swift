import ExampleTesting
import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

@MainActor struct LockTests {
  private let folder: TemporaryFolder
  private let storages: [any Storage]

  init() throws {
    folder = try TemporaryFolder()
    storages = [MemoryStorage(), FileStorage(folder: URL(filePath: folder.path))]
  }

  @Test("P7 a second writer is told so and writes nothing, until the first has gone")
  func second() async throws {
    for storage in storages {
      var first: SavedState<Note>? = .note(in: storage)
      var note = Note()
      #expect(first?.restore(into: &note) == .nothing)
      var store: Store<Note, Never>? = first.map {
        Store(state: Note(draft: "first"), hookable: Editor(saved: $0))
      }
      try await first?.flush()
      let second = SavedState.note(in: storage)
      #expect(second.restore(into: &note) == .busy)
      #expect(note == Note())
      let other = Store(state: note, hookable: Editor(saved: second))
      other.binder.draft.wrappedValue = "second"
      await #expect(throws: SaveError.busy) { try await second.flush() }
      #expect(other.saving == .failed(SaveError.busy.description))
      let stored = try storage.read("note")
      #expect(stored.map { String(decoding: $0, as: UTF8.self).contains("first") } == true)
      store = nil
      first = nil
      _ = (store, first)
      try await second.flush()
      #expect(other.saving == .saved)
      // What the second one has never read is kept.
      #expect(try storage.setAside("note").hasSuffix(".damaged-2"))
      withExtendedLifetime(other) {}
    }
  }

  @Test("P7 once the first has gone, the second restores what the first has saved")
  func restoresAgain() async throws {
    for storage in storages {
      var first: SavedState<Note>? = .note(in: storage)
      var note = Note()
      _ = first?.restore(into: &note)
      var store: Store<Note, Never>? = first.map {
        Store(state: Note(draft: "first"), hookable: Editor(saved: $0))
      }
      let second = SavedState.note(in: storage)
      #expect(second.restore(into: &note) == .busy)
      try await first?.flush()
      store = nil
      first = nil
      _ = (store, first)
      #expect(second.restore(into: &note) == .restored)
      #expect(note.draft == "first")
    }
  }

  @Test("P5 P7 a restore after busy loses nothing, whatever was typed meanwhile")
  func typedWhileBusy() async throws {
    let storage = MemoryStorage()
    var first: SavedState<Note>? = .note(in: storage)
    var store = first.map { Store(state: Note(draft: "first"), hookable: Editor(saved: $0)) }
    try await first?.flush()
    let stored = storage["note"]
    let second = SavedState.note(in: storage)
    var note = Note()
    #expect(second.restore(into: &note) == .busy)
    let other = Store(state: note, hookable: Editor(saved: second, clock: TestClock()))
    other.binder.draft.wrappedValue = "x"
    store = nil
    first = nil
    _ = (store, first)
    #expect(second.restore(into: &note) == .restored)
    #expect(note.draft == "first")
    try await second.flush()
    #expect(storage["note.damaged-1"] == stored)
    #expect(storage.restoredDraft == "x")
  }

  @Test("P7 a program that is too old for the file does not keep a newer one out")
  func tooOld() async throws {
    let storage = MemoryStorage()
    storage["note"] = file(draft: "a", version: 3)
    let old = SavedState.note(in: storage)
    var note = Note()
    #expect(old.restore(into: &note) == .newer(3))
    let new = SavedState<Note>("note", version: 3, in: storage).property("draft", \.draft)
    #expect(new.restore(into: &note) == .restored)
    // It finds out when it saves.
    storage["other"] = file(draft: "a", version: 3)
    let saving = SavedState<Note>("other", version: 2, in: storage).property("draft", \.draft)
    let store = Store(state: Note(), hookable: Editor(saved: saving))
    await #expect(throws: SaveError.newer(3)) { try await saving.flush() }
    let other = SavedState<Note>("other", version: 3, in: storage).property("draft", \.draft)
    #expect(other.restore(into: &note) == .restored)
    withExtendedLifetime((new, store)) {}
  }

  @Test(
    "P7 a link and what it leads to have one writer, also when the link is set aside or replaced",
    arguments: ["damaged", "leading nowhere"])
  func links(case text: String) async throws {
    let storage = FileStorage(folder: URL(filePath: folder.path))
    let other = folder.path + "/elsewhere/other.json"
    try FileManager.default.createDirectory(
      atPath: folder.path + "/elsewhere", withIntermediateDirectories: true)
    if text == "damaged" { try Data("no".utf8).write(to: URL(filePath: other)) }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/note.json", withDestinationPath: other)
    let first = SavedState.note(in: storage)
    var note = Note()
    let outcome = first.restore(into: &note)
    if text == "damaged" {
      #expect(outcome == .setAside(as: "note.json.damaged-1"))
    } else {
      guard case .unavailable = outcome else { return #expect(outcome == .busy, "unavailable") }
      try file(draft: "new").write(to: URL(filePath: other))
    }
    let second = SavedState.note(in: storage)
    #expect(second.restore(into: &note) == .busy)
    // The file is also known without the link.
    let elsewhere = SavedState<Note>(
      "other", version: 2, in: FileStorage(folder: URL(filePath: folder.path + "/elsewhere"))
    ).property("draft", \.draft)
    let store = Store(state: Note(), hookable: Editor(saved: first))
    store.binder.draft.wrappedValue = "mine"
    if text == "damaged" {
      try await first.flush()
    } else {
      #expect(elsewhere.restore(into: &note) == .restored)
      await #expect(throws: SaveError.busy) { try await first.flush() }
    }
    withExtendedLifetime(store) {}
  }

  @Test("P7 a value that cannot be encoded does not keep the lock of a writer that has gone")
  func notEncoded() async throws {
    struct Odd: Codable, Equatable, Sendable {
      var number = 0
      init(_ number: Int) { self.number = number }
      init(from decoder: any Decoder) throws {}
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(0, .init(codingPath: [], debugDescription: "It is odd."))
      }
    }
    struct State: Sendable { var odd = Odd(0) }
    struct Saving: Hookable {
      let saved: SavedState<State>
      func subscription(for hook: NoteHook, store: MutatingStore<State, Never>) -> Subscription {
        saved.autosave(store)
      }
    }
    let storage = SlowStorage()
    var saved: SavedState<State>? = SavedState<State>("odd", in: storage).property("odd", \.odd)
    var state = State()
    saved?.restore(into: &state)
    var store = saved.map { Store(state: state, hookable: Saving(saved: $0)) }
    store?.binder.odd.wrappedValue = Odd(1)
    await #expect(throws: SaveError.self) { try await saved?.flush() }
    store = nil
    saved = nil
    _ = (store, saved)
    _ = await storage.unlocks.first { _ in true }
    let next = SavedState<State>("odd", in: storage)
    #expect(next.restore(into: &state) == .nothing)
  }

  @Test("P7 a writer that has gone is busy until its pending save is done")
  func pendingSave() async throws {
    let clock = TestClock()
    let storage = SlowStorage()
    var first: SavedState<Note>? = .note(in: storage)
    var store: TestStore<Note, Never>? = first.map {
      TestStore(state: Note(), hookable: Editor(saved: $0, clock: clock))
    }
    store?.draft = "last"
    store = nil
    first = nil
    _ = (store, first)
    await storage.writes.next(timeout: .seconds(60))
    var note = Note()
    let second = SavedState.note(in: storage)
    #expect(second.restore(into: &note) == .busy)
    await storage.writes.reply(with: ())
    _ = await storage.unlocks.first { _ in true }
    #expect(second.restore(into: &note) == .restored)
    #expect(note.draft == "last")
  }

  @Test("P7 names that differ do not share a file")
  func names() {
    let storage = FileStorage(folder: URL(filePath: folder.path))
    let names = [
      "ada", "Ada", "a/da", "../ada", "..", ".", "a.b", ".a", "a@b", "a%40b", "日本", "a b", "\u{0}",
      "a.json", "a.json.lock", "a.lock", "\u{E9}",
    ]
    let files = names.map { storage.file($0).path(percentEncoded: false) }
    #expect(Set(files.map { $0.lowercased() }).count == names.count)
    #expect(files.allSatisfy { $0.hasPrefix(folder.path + "/") && $0.hasSuffix(".json") })
    #expect(files.allSatisfy { !$0.dropFirst(folder.path.count + 1).contains("/") })
    for name in names {
      var note = Note()
      let saved = SavedState<Note>(name, in: storage).property("draft", \.draft)
      #expect(saved.restore(into: &note) == .nothing)
    }
    let long = String(repeating: "\u{E9}", count: 100)
    for name in ["\u{E9}", long] {
      #expect(storage.file(name) == storage.file(name.decomposedStringWithCanonicalMapping))
    }
  }

  @Test("P7 a lock whose file was removed is taken again")
  func removedLock() async throws {
    let storage = FileStorage(folder: URL(filePath: folder.path))
    let first = SavedState.note(in: storage)
    let store = Store(state: Note(draft: "first"), hookable: Editor(saved: first))
    try await first.flush()
    try FileManager.default.removeItem(atPath: folder.path + "/note.json.lock")
    let second = SavedState.note(in: storage)
    var note = Note()
    #expect(second.restore(into: &note) == .restored)
    store.binder.draft.wrappedValue = "mine"
    await #expect(throws: SaveError.busy) { try await first.flush() }
    #expect(storage.restored(note).outcome == .busy)
    withExtendedLifetime(second) {}
  }

  @Test("P7 a save finds that it has lost its own lock, and takes it again")
  func lostOwnLock() async throws {
    let storage = FileStorage(folder: URL(filePath: folder.path))
    let path = folder.path + "/note.json"
    let saved = SavedState.note(in: storage)
    let store = Store(state: Note(draft: "first"), hookable: Editor(saved: saved))
    try await saved.flush()
    // The file moves, and a link leads to it, whose lock is another one.
    try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/moved.json")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path + "/moved.json")
    store.binder.draft.wrappedValue = "mine"
    try await saved.flush()
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("mine"))
  }

  @Test("P7 a save that is not allowed does not keep the lock of a writer that has gone")
  func notAllowed() async throws {
    let storage = MemoryStorage()
    let newer = file(draft: "a", version: 3)
    storage["note"] = newer
    var saved: SavedState<Note>? = .note(in: storage)
    weak let released = saved
    var note = Note()
    #expect(saved?.restore(into: &note) == .newer(3))
    var store: Store<Note, Never>? = saved.map { Store(state: note, hookable: Editor(saved: $0)) }
    store?.binder.draft.wrappedValue = "b"
    store = nil
    _ = store
    await #expect(throws: SaveError.newer(3)) { try await saved?.flush() }
    saved = nil
    #expect(released == nil)
    #expect(storage.restored().outcome == .newer(3))
    #expect(storage["note"] == newer)
  }

  @Test("P7 of two stores with one saved state, the second saves when the first is released")
  func twoStores() async throws {
    let storage = MemoryStorage()
    let clock = TestClock()
    let saved = SavedState.note(in: storage)
    var first: TestStore<Note, Never>? = TestStore(
      state: Note(), hookable: Editor(saved: saved, clock: clock))
    let second = TestStore(state: Note(), hookable: Editor(saved: saved, clock: clock))
    first?.draft = "first"
    second.draft = "second"
    #expect(second.saving == .failed(SaveError.busy.description))
    await #expect(throws: SaveError.busy) { try await saved.flush() }
    #expect(storage.restoredDraft == "first")
    first = nil
    _ = first
    #expect(second.saving == .pending)
    await clock.advance(by: .milliseconds(300))
    #expect(second.saving == .saved)
    #expect(storage.restoredDraft == "second")
    try await saved.flush()
  }

  @Test("P7 P8 what was typed into the second store is saved, also if its hook ends first")
  func secondEndsFirst() async throws {
    let storage = MemoryStorage()
    let clock = TestClock()
    let saved = SavedState.note(in: storage)
    var first: TestStore<Note, Never>? = TestStore(
      state: Note(), hookable: Editor(saved: saved, clock: clock))
    var second: TestStore<Note, Never>? = TestStore(
      state: Note(), hookable: Editor(saved: saved, clock: clock))
    first?.draft = "first"
    second?.draft = "second"
    second = nil
    _ = second
    await #expect(throws: SaveError.busy) { try await saved.flush() }
    #expect(storage.restoredDraft == "first")
    first = nil
    _ = first
    try await saved.flush()
    #expect(storage.restoredDraft == "second")
  }
}
