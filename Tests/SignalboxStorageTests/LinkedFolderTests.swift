import ExampleTesting
import Foundation
import Signalbox
import SignalboxStorage
import SignalboxTesting
import Testing

/// A folder that is a link to a disk that is not there yet.
@MainActor struct LinkedFolderTests {
  @Test("P5 a folder that is a link which leads nowhere is not taken for nothing")
  func danglingFolder() async throws {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: folder.path + "/disk")
    let saved = SavedState.note(
      in: FileStorage(folder: URL(filePath: folder.path + "/link/notes")))
    var note = Note()
    guard case .unavailable(let reason) = saved.restore(into: &note) else {
      Issue.record("It counts as nothing.")
      return
    }
    #expect(reason.contains("/link: It is a link that leads nowhere."))
    let store = Store(state: note, hookable: Editor(saved: saved, clock: TestClock()))
    store.binder.draft.wrappedValue = "x"
    await #expect(throws: SaveError.self) { try await saved.flush() }
    let disk = folder.path + "/disk/notes"
    try files.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let bytes = file(draft: "a year of work")
    try bytes.write(to: URL(filePath: disk + "/note.json"))
    await #expect(throws: SaveError.self) { try await saved.flush() }
    #expect(try Data(contentsOf: URL(filePath: disk + "/note.json")) == bytes)
    #expect(saved.restore(into: &note) == .restored)
    #expect(note.draft == "a year of work")
  }

  @Test("P5 a damaged file in a folder that is a link is set aside once")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path + "/real", withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: folder.path + "/real")
    try Data("garbage".utf8).write(to: URL(filePath: folder.path + "/real/note.json"))
    let storage = FileStorage(folder: URL(filePath: folder.path + "/link"))
    #expect(storage.restored().outcome == .setAside(as: "note.json.damaged-1"))
    #expect(storage.restored().outcome == .nothing)
    let copy = URL(filePath: folder.path + "/real/note.json.damaged-1")
    #expect(try Data(contentsOf: copy) == Data("garbage".utf8))
  }
}
