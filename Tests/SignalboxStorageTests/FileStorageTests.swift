import ExampleTesting
import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Terminal
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Files in a real folder, and what may be in their place.
@MainActor struct FileStorageTests {
  private let folder: TemporaryFolder
  private let storage: FileStorage
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/a/b/note.json"
    storage = FileStorage(folder: URL(filePath: folder.path + "/a/b"))
  }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/a/b")) ?? []).sorted()
  }

  private func mode(_ path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
  }

  private func setMode(_ mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  private func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  private func put(_ data: Data, at path: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/a/b", withIntermediateDirectories: true)
    try data.write(to: URL(filePath: path))
  }

  /// Restores and saves a draft, and returns what each has led to.
  private func save(_ draft: String, in storage: FileStorage? = nil) async -> (Restored, SaveError?)
  {
    let saved = SavedState.note(in: storage ?? self.storage)
    var note = Note()
    let outcome = saved.restore(into: &note)
    // On a clock that stands still, a save that has failed is not tried again.
    var store: Store? = Store(state: note, hookable: Editor(saved: saved, clock: TestClock()))
    store?.binder.draft.wrappedValue = draft
    do {
      try await saved.flush()
      return (outcome, nil)
    } catch {
      // The end of the store saves what has failed once more (P8).
      store = nil
      try? await saved.flush()
      return (outcome, error as? SaveError)
    }
  }

  @Test("P1 P3 a new program restores what was saved, and folders are made")
  func saved() async {
    #expect(await save("dear all") == (.nothing, nil))
    #expect(storage.restored().note.draft == "dear all")
    #expect(names.filter { !$0.hasSuffix(".lock") } == ["note.json"])
    #expect(await save("dear both") == (.restored, nil))
    #expect(storage.restored().note.draft == "dear both")
  }

  @Test("P1 P3 a folder may have a name that begins with a combining character")
  func combiningFolder() async {
    let folder = folder.path + "/c/\u{301}d"
    #expect(await save("x", in: FileStorage(folder: URL(filePath: folder))).1 == nil)
    #expect(FileManager.default.fileExists(atPath: folder + "/note.json"))
  }

  @Test("P7 the lock file goes with the lock")
  func lockFile() async throws {
    let saved = SavedState.note(in: storage)
    var note = Note()
    saved.restore(into: &note)
    #expect(names == ["note.json.lock"])
    withExtendedLifetime(saved) {}
  }

  @Test("P9 files and folders can be read by their owner only")
  func modes() async throws {
    #expect(await save("dear all") == (.nothing, nil))
    #expect(mode(path) == 0o600)
    do {
      let saved = SavedState.note(in: storage)
      var note = Note()
      saved.restore(into: &note)
      #expect(mode(path + ".lock") == 0o600)
      withExtendedLifetime(saved) {}
    }
    for path in ["/a", "/a/b"] { #expect(mode(folder.path + path) == 0o700) }
    // A file that a person has copied here.
    try put(file(draft: "x"), at: path)
    try setMode(0o644)
    #expect(await save("dear both") == (.restored, nil))
    #expect(mode(path) == 0o600)
    try put(Data("no".utf8), at: path)
    try setMode(0o644)
    #expect(await save("new") == (.setAside(as: "note.json.damaged-1"), nil))
    #expect(mode(path + ".damaged-1") == 0o600)
  }

  @Test("P5 what is set aside never replaces what was set aside before")
  func setAside() async throws {
    for number in 1...3 {
      try put(Data("no \(number)".utf8), at: path)
      let (outcome, error) = await save("new")
      #expect(outcome == .setAside(as: "note.json.damaged-\(number)") && error == nil)
    }
    for number in 1...3 {
      let bytes = FileManager.default.contents(atPath: path + ".damaged-\(number)")
      #expect(bytes == Data("no \(number)".utf8))
    }
  }

  @Test("P5 a folder in the file's place is not taken for nothing")
  func folderInPlace() async throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let (outcome, error) = await save("new")
    #expect(outcome == .unavailable("\(path): It is not a file."))
    guard case .unavailable = error else { return #expect(error == nil, "should be unavailable") }
    #expect(names.filter { !$0.hasSuffix(".lock") } == ["note.json"])
  }

  @Test(
    "P5 a loop of links, or a link that leads nowhere, is not taken for nothing",
    arguments: ["note.json", "nowhere", "note.json/x"])
  func links(target: String) async throws {
    try put(Data(), at: path + ".other")
    try link(path, to: target)
    let (outcome, error) = await save("new")
    guard case .unavailable = outcome, case .unavailable = error else {
      Issue.record("\(outcome), \(String(describing: error))")
      return
    }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
  }

  @Test("P5 a pipe in the file's place blocks nothing")
  func pipe() async throws {
    try put(Data(), at: path)
    try? FileManager.default.removeItem(atPath: path)
    #expect(unsafe mkfifo(path, 0o600) == 0)
    #expect(await save("new").0 == .unavailable("\(path): It is not a file."))
  }

  @Test("P3 a link to a file stays, and the file that it leads to is replaced")
  func link() async throws {
    let other = folder.path + "/other.json"
    try put(file(draft: "linked"), at: other)
    try link(path, to: other)
    #expect(await save("new") == (.restored, nil))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == other)
    let bytes = FileManager.default.contents(atPath: other)
    #expect(bytes.map { String(decoding: $0, as: UTF8.self).contains("new") } == true)
    #expect(names == ["note.json"])
  }

  @Test("P5 P8 a full disk fails the save, and what is stored stays")
  func fullDisk() async throws {
    #expect(await save("old") == (.nothing, nil))
    let before = names
    let full = FileStorage(folder: URL(filePath: folder.path + "/a/b"), files: FullDisk())
    let (outcome, error) = await save("new", in: full)
    #expect(outcome == .restored)
    #expect(error == .failed("The new file: No space left on device."))
    let bytes = FileManager.default.contents(atPath: path)
    #expect(bytes.map { String(decoding: $0, as: UTF8.self).contains("old") } == true)
    #expect(names.filter { !$0.hasSuffix(".lock") } == before)
  }

  @Test("P5 P8 a folder that cannot be made is not taken for an empty one")
  func fileAsFolder() async {
    let (outcome, error) = await save(
      "new", in: FileStorage(folder: URL(filePath: "/dev/null/drafts")))
    #expect(outcome == .unavailable("/dev/null/drafts/note.json: Not a directory."))
    #expect(error?.description.contains("Not a directory") == true)
    #expect(error?.description.hasPrefix("What is stored cannot be read") == true)
  }

  @Test("P5 P8 a folder that cannot be written restores, and the save fails")
  func readOnlyFolder() async throws {
    #expect(await save("old") == (.nothing, nil))
    try put(Data("no".utf8), at: folder.path + "/a/b/other.json")
    let readOnly = FileStorage(folder: URL(filePath: folder.path + "/a/b"), files: ReadOnlyFiles())
    let (outcome, error) = await save("new", in: readOnly)
    #expect(outcome == .restored)
    guard case .failed = error else { return #expect(error == nil, "should fail") }
    // A damaged file cannot be set aside there.
    var note = Note()
    let damaged = SavedState<Note>("other", in: readOnly).property("draft", \.draft)
    guard case .unavailable = damaged.restore(into: &note) else {
      return #expect(note == Note(), "should be unavailable")
    }
  }

  @Test("P5 a file that cannot be read is not taken for nothing", .enabled(if: getuid() != 0))
  func unreadable() async throws {
    #expect(await save("old") == (.nothing, nil))
    try setMode(0)
    guard case .unavailable = await save("new").0 else {
      Issue.record("It should be unavailable.")
      return
    }
    try setMode(0o600)
    #expect(storage.restored().note.draft == "old")
  }

  @Test("P3 what a killed process has left is neither read nor written to")
  func leftovers() async throws {
    #expect(await save("old") == (.nothing, nil))
    let secret = folder.path + "/secret"
    try put(Data("secret".utf8), at: secret)
    try link(path + ".new-0123456789abcdef", to: secret)
    #expect(await save("new") == (.restored, nil))
    #expect(FileManager.default.contents(atPath: secret) == Data("secret".utf8))
    #expect(names.filter { !$0.hasSuffix(".lock") } == ["note.json"])
  }

  @Test("P8 a folder that was removed meanwhile is made again")
  func removedFolder() async throws {
    let saved = SavedState.note(in: storage)
    let store = Store(state: Note(draft: "a"), hookable: Editor(saved: saved))
    try await saved.flush()
    try FileManager.default.removeItem(atPath: folder.path + "/a")
    try await saved.flush()
    #expect(names.filter { !$0.hasSuffix(".lock") } == ["note.json"])
    withExtendedLifetime(store) {}
    #expect(try storage.lock("note") == nil)
  }

  @Test("P9 the folder for an application's data is the platform's")
  func applicationFolder() {
    #if os(Linux)
    func folder(_ environment: [String: String]) -> String {
      FileStorage.applicationFolder("chat", environment: environment).path()
    }
    #expect(folder(["HOME": "/h", "XDG_STATE_HOME": "/s"]) == "/s/chat/")
    #expect(folder(["HOME": "/h", "XDG_STATE_HOME": "s"]) == "/h/.local/state/chat/")
    #endif
  }

  @Test("P5 a URL that is not that of a file traps")
  func noFile() async {
    await #expect(processExitsWith: .failure) {
      _ = FileStorage(folder: URL(string: "https://example.org/x")!)  // A valid URL.
    }
    await #expect(processExitsWith: .failure) {
      _ = FileStorage(folder: URL(string: "file:///tmp/%FF")!)  // A valid URL, not of UTF-8.
    }
  }

  @Test("P3 P5 P7 long names have files of their own, which can be set aside")
  func longNames() throws {
    let lengths = (170...260).map { String(repeating: "a", count: $0) }
    let others = (15...40).map { String(repeating: "語", count: $0) }
    #expect(Set((lengths + others).map { storage.file($0) }).count == lengths.count + others.count)
    // The longest of each kind, and those around the limit.
    for name in lengths where [179, 180, 181, 260].contains(name.count) {
      try setAside(name)
    }
    for name in others where [19, 20, 21, 40].contains(name.count) { try setAside(name) }
  }

  private func setAside(_ name: String) throws {
    try put(Data("no".utf8), at: storage.file(name).path(percentEncoded: false))
    let saved = SavedState<Note>(name, in: storage).property("draft", \.draft)
    var note = Note()
    guard case .setAside = saved.restore(into: &note) else {
      Issue.record("\(name) is not set aside")
      return
    }
  }

  @Test("P5 a folder without a free name for what is damaged is unavailable")
  func noFreeName() throws {
    struct Full: OddFiles { func exists(_ path: String) -> Bool { true } }
    try put(Data("no".utf8), at: path)
    let full = FileStorage(folder: URL(filePath: folder.path + "/a/b"), files: Full())
    guard case .unavailable = full.restored().outcome else {
      Issue.record("should be unavailable")
      return
    }
    #expect(FileManager.default.contents(atPath: path) == Data("no".utf8))
  }

  @Test("P9 the mask of the process does not hide a file from its owner")
  func mask() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let folder = try TemporaryFolder()
      _ = umask(0o777)
      let storage = FileStorage(folder: URL(filePath: folder.path))
      try await storage.write(Data("x".utf8), to: "note")
      let path = storage.file("note").path(percentEncoded: false)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      _ = umask(0o022)
      guard mode as? Int == 0o600 else { fatalError("The mode is \(String(describing: mode)).") }
    }
  }
}
