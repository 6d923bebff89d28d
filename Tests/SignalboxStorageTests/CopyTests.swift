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

/// The copies that are kept beside a file, such as `note.json.damaged-1`.
@MainActor struct CopyTests {
  private static let folder = URL(filePath: "/f")
  private static let path = "/f/note.json"

  private func store(_ saved: SavedState<Note>, _ note: Note) -> Store<Note, Never> {
    Store(state: note, hookable: Editor(saved: saved, clock: TestClock()))
  }

  private func bytes(_ draft: String) -> Data { file(draft: draft, to: "[\n\n  ]") }

  @Test("P5 the number of copies is not limited, so stores of a program's own state are all saved")
  func thousands() async throws {
    var files = [Self.path: file(draft: "old")]
    for number in 1...10_000 { files["\(Self.path).damaged-\(number)"] = Data("\(number)".utf8) }
    let disk = CrashingFiles(files)
    let saved = SavedState.note(in: FileStorage(folder: Self.folder, files: disk))
    for draft in ["a", "b", "c"] {
      let store = store(saved, Note(draft: draft))
      try await saved.flush()
      withExtendedLifetime(store) {}
    }
    let after = disk.files
    #expect(after[Self.path] == bytes("c"))
    #expect(after[Self.path + ".damaged-10001"] == file(draft: "old"))
    #expect(after[Self.path + ".damaged-10002"] == bytes("a"))
    #expect(after[Self.path + ".damaged-10003"] == bytes("b"))
    #expect(files.allSatisfy { $0.key == Self.path || after[$0.key] == $0.value })
  }

  @Test("P5 each copy has a number of its own, after those that are there")
  func numbers() throws {
    let memory = MemoryStorage()
    let files = CrashingFiles([:])
    let storage = FileStorage(folder: Self.folder, files: files)
    for number in 1...40 {
      let bytes = Data("\(number)".utf8)
      #expect(try memory.keep(bytes, beside: "note") == "note.damaged-\(number)")
      #expect(try storage.keep(bytes, beside: "note") == "note.json.damaged-\(number)")
      #expect(memory["note.damaged-\(number)"] == bytes)
      #expect(files.files["\(Self.path).damaged-\(number)"] == bytes)
    }
    // The latest copy is used again, and no earlier one.
    let latest = Data("40".utf8)
    #expect(try memory.keep(latest, beside: "note") == "note.damaged-40")
    #expect(try storage.keep(latest, beside: "note") == "note.json.damaged-40")
    let earlier = Data("39".utf8)
    #expect(try memory.keep(earlier, beside: "note") == "note.damaged-41")
    #expect(try storage.keep(earlier, beside: "note") == "note.json.damaged-41")
  }

  /// Real files whose folder cannot be synced for a while.
  private final class UnsyncedFolder: OddFiles {
    private let held = LockedValue(false)

    var isFailing: Bool {
      get { held.withLock { $0 } }
      set { held.withLock { $0 = newValue } }
    }

    func syncFolder(_ path: String) throws(FileFailure) {
      if isFailing { throw FileFailure(path, code: EIO) }
      try SystemFiles().syncFolder(path)
    }
  }

  @Test(
    "P5 P8 an attempt that fails after a copy was made leaves no other copy", arguments: [1, 5])
  func unsynced(attempts: Int) async throws {
    let folder = try TemporaryFolder()
    let files = UnsyncedFolder()
    let saved = SavedState.note(in: FileStorage(folder: URL(filePath: folder.path), files: files))
    var note = Note()
    saved.restore(into: &note)
    let store = store(saved, note)
    store.binder.draft.wrappedValue = "one"
    try await saved.flush()
    let path = folder.path + "/note.json"
    let edited = file(draft: "edited")
    try edited.write(to: URL(filePath: path))
    files.isFailing = true
    store.binder.draft.wrappedValue = "two"
    for _ in 1...attempts {
      await #expect(throws: SaveError.self) { try await saved.flush() }
      #expect(try Data(contentsOf: URL(filePath: path)) == edited)
    }
    files.isFailing = false
    try await saved.flush()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(
      names.filter { !$0.hasSuffix(".lock") }.sorted() == ["note.json", "note.json.damaged-1"])
    #expect(try Data(contentsOf: URL(filePath: path + ".damaged-1")) == edited)
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes("two"))
  }
}
