import ExampleTesting
import Foundation
import Signalbox
import SignalboxTesting
import Testing

@testable import Notes

/// Tests an attachment alone, and how files are read.
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct AttachmentFeatureTests {
  private let files = TestEndpoint<AttachedFile.ID, String>("files")
  private let id = AttachedFile.ID(note: 1, number: 2)

  private func attachment() -> TestStore<AttachedFile, AttachmentAction> {
    let files = files
    return TestStore(
      state: AttachedFile(id: id), interactor: AttachmentFeature(load: { try await files($0) }))
  }

  @Test func `a file is loaded as soon as it is shown`() async {
    let attachment = attachment()
    #expect(attachment.isLoading)
    await files.reply(to: id, with: "milk\nbread")
    #expect(attachment.state == AttachedFile(id: id, text: "milk\nbread"))
    #expect(attachment.state.lines == ["milk", "bread"])
  }

  @Test func `a refusal is shown`() async {
    let attachment = attachment()
    await files.fail(id, with: AttachmentError.missing)
    #expect(attachment.state == AttachedFile(id: id, problem: "The note has no such file."))
    #expect(attachment.state.lines == ["The note has no such file."])
  }

  @Test func `a script waits for the loading that has begun`() async {
    let files = files
    var loads = 0
    let attachment = TestStore(
      state: AttachedFile(id: id),
      interactor: AttachmentFeature(load: {
        loads += 1
        return try await files($0)
      }))
    let loading = attachment.send(.load)
    await files.reply(to: id, with: "milk")
    await loading.value
    #expect(attachment.text == "milk")
    #expect(loads == 1)
  }

  @Test func `the beginning of a file is read`() async throws {
    let folder = try TemporaryFolder()
    let file = URL(filePath: folder.path + "/list.txt")
    try Data(repeating: UInt8(ascii: "m"), count: 70_000).write(to: file)
    #expect(try await NotesService.board().load(file).count == 65_536)
    await #expect(throws: AttachmentError.unreadable) {
      try await NotesService.board().load(URL(filePath: folder.path))
    }
    await #expect(throws: AttachmentError.unreadable) {
      try await NotesService.board().load(URL(filePath: folder.path + "/none"))
    }
  }

  @Test func `words that begin with file: are files`() {
    let note = Note(id: 1, text: "milk file:///a.txt\nfile:///b.txt afile:///c https://d")
    #expect(note.files.map(\.absoluteString) == ["file:///a.txt", "file:///b.txt"])
  }
}
