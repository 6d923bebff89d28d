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

  @Test("P7 while another process writes, nothing is written, and nothing that is typed is lost")
  func second() async throws {
    for storage in storages {
      try await storage.write(file(draft: "first"), to: "note")
      // What another process has.
      var lock = try storage.lock("note")
      let saved = SavedState.note(in: storage)
      var note = Note()
      #expect(saved.restore(into: &note) == .busy)
      #expect(note == Note())
      // A restore that met another attempt would not find the file.
      let store = Store(state: note, hookable: Editor(saved: saved, clock: TestClock()))
      store.binder.draft.wrappedValue = "x"
      await #expect(throws: SaveError.busy) { try await saved.flush() }
      guard case .failed(let reason) = store.saving else {
        Issue.record("The status says nothing.")
        return
      }
      #expect(reason.hasPrefix("Another process"))
      #expect(try storage.read("note") == file(draft: "first"))
      _ = lock
      lock = nil
      // What was typed does not continue the file.
      #expect(saved.restore(into: &note) == .restored)
      #expect(note.draft == "first")
      try await saved.flush()
      #expect(store.saving == .saved)
      let stored = try storage.read("note")
      #expect(stored.map { String(decoding: $0, as: UTF8.self).contains("\"x\"") } == true)
      #expect(try storage.setAside("note").hasSuffix(".damaged-2"))
    }
  }

  @Test("P7 a busy file tells which process has it")
  func process() throws {
    let storage = FileStorage(folder: URL(filePath: folder.path))
    let lock = try #require(try storage.lock("note"))
    var note = Note()
    let outcome = SavedState.note(in: storage).restore(into: &note)
    guard case .busy(let process) = outcome else { return #expect(outcome == .busy) }
    #expect(process.id == ProcessInfo.processInfo.processIdentifier)
    #expect(outcome.description.hasPrefix("Another process (\(process.id ?? 0)) has this open"))
    withExtendedLifetime(lock) {}
  }

  @Test("P3 P7 a lock that is lost during a save keeps the new file from its place")
  func lostDuringSave() async throws {
    struct Losing: OddFiles {
      let lock: String
      func sync(_ file: Int32) throws(FileFailure) {
        try? FileManager.default.removeItem(atPath: lock)
        try SystemFiles().sync(file)
      }
    }
    let path = folder.path + "/note.json"
    let storage = FileStorage(
      folder: URL(filePath: folder.path), files: Losing(lock: path + ".lock"))
    let lock = try storage.lock("note")
    let error = await #expect(throws: FileFailure.self) {
      try await storage.write(Data("x".utf8), to: "note")
    }
    #expect(error?.description == "\(path).lock: The lock was lost during the save.")
    let ofCopy = #expect(throws: FileFailure.self) {
      try storage.keep(Data("x".utf8), beside: "note")
    }
    #expect(ofCopy == error)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    withExtendedLifetime(lock) {}
  }

  @Test("P3 a new file that another program has replaced does not get the name of the file")
  func replacedDuringSave() async throws {
    struct Replacing: OddFiles {
      let folder: String
      func sync(_ file: Int32) throws(FileFailure) {
        for name in names(in: folder) where name.contains(".new-") {
          try? Data("other".utf8).write(to: URL(filePath: folder + "/" + name), options: .atomic)
        }
      }
    }
    let storage = FileStorage(
      folder: URL(filePath: folder.path), files: Replacing(folder: folder.path))
    await #expect(throws: FileFailure.self) { try await storage.write(Data("x".utf8), to: "note") }
    #expect(try storage.read("note") == nil)
  }

  @Test("P3 two writers at once use names of their own, so none tears the file of the other")
  func twoWriters() async throws {
    let storages = (0..<2).map { _ in FileStorage(folder: URL(filePath: folder.path)) }
    let texts = storages.indices.map { Data(String(repeating: "\($0)", count: 100_000).utf8) }
    await withTaskGroup { group in
      for (storage, text) in zip(storages, texts) {
        group.addTask { for _ in 0..<50 { try? await storage.write(text, to: "note") } }
      }
    }
    #expect(texts.contains(try storages[0].read("note") ?? Data()))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["note.json"])
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
    let store = Store(state: Note(), hookable: Editor(saved: first))
    store.binder.draft.wrappedValue = "mine"
    // The file is also known without the link.
    let elsewhere = FileStorage(folder: URL(filePath: folder.path + "/elsewhere"))
    if text == "damaged" {
      #expect(try storage.lock("note") == nil)
      #expect(try elsewhere.lock("other") == nil)
      try await first.flush()
      let copy = folder.path + "/note.json.damaged-1"
      #expect(
        try FileManager.default.attributesOfItem(atPath: copy)[.type] as? FileAttributeType
          == .typeRegular)
      #expect(try Data(contentsOf: URL(filePath: copy)) == Data("no".utf8))
    } else {
      let lock = try #require(try elsewhere.lock("other"))
      await #expect(throws: SaveError.busy) { try await first.flush() }
      withExtendedLifetime(lock) {}
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
    var other = try storage.lock("note")
    #expect(other != nil)
    store.binder.draft.wrappedValue = "mine"
    await #expect(throws: SaveError.busy) { try await first.flush() }
    _ = other
    other = nil
    try await first.flush()
    #expect(try storage.lock("note") == nil)
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
}
