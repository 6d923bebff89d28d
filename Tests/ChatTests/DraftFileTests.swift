import ExampleTesting
import Foundation
import Terminal
import Testing

@testable import Chat

struct DraftFileTests {
  private let folder: TemporaryFolder
  private let room = Address(host: "127.0.0.1", port: 1)
  private let file: DraftFile

  init() throws {
    folder = try TemporaryFolder()
    file = DraftFile(folder: folder.path + "/a/b", name: "ada", room: room)
  }

  @Test func `a draft that was never saved is empty`() throws {
    #expect(try file.load() == "")
  }

  @Test func `a saved draft is loaded again, and saving creates the folder`() throws {
    try file.save("hello 🙂\u{301}")
    #expect(try file.load() == "hello 🙂\u{301}")
    try file.save("h")
    #expect(try file.load() == "h")
  }

  @Test func `an empty draft leaves no file`() throws {
    try file.save("hello")
    try file.save("")
    try file.save("")
    #expect(try file.load() == "")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/a/b") == [])
  }

  @Test func `a draft is readable only by its owner`() throws {
    try file.save("hello")
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `names and rooms do not share drafts`() {
    let names = ["ada", "Ada", "a/da", "../ada", "a@b", "a%40b", "", "日本"]
    let rooms = [room, Address(host: "localhost", port: 1), Address(host: "127.0.0.1", port: 2)]
    let paths = names.flatMap { name in
      rooms.map { DraftFile(folder: folder.path, name: name, room: $0).path }
    }
    #expect(Set(paths).count == paths.count)
    #expect(
      paths.allSatisfy { URL(filePath: $0).deletingLastPathComponent().path() == folder.path + "/" }
    )
  }

  @Test func `a draft that is read during a write is the old or the new text`() async throws {
    let texts = [String(repeating: "a", count: 50_000), String(repeating: "b", count: 70_000)]
    try file.save(texts[0])
    let file = file
    let isDone = Locked(false)
    async let writing: Void = onThread {
      for round in 1...50 { try? file.save(texts[round % 2]) }
      isDone.withLock { $0 = true }
    }
    let halves = await onThread {
      var halves = 0
      while !isDone.withLock(\.self) {
        if let text = try? file.load(), !texts.contains(text) { halves += 1 }
      }
      return halves
    }
    await writing
    #expect(halves == 0)
  }

  @Test func `an unwritable folder causes an error with a message`() throws {
    let file = DraftFile(folder: "/dev/null/drafts", name: "ada", room: room)
    let trouble = #expect(throws: DraftFile.Trouble.self) { try file.save("hello") }
    #expect(
      trouble?.description == "The draft cannot be saved in /dev/null/drafts: Not a directory.")
    #expect(try file.load() == "")
  }

  @Test func `a second program cannot open the same draft`() throws {
    var first = DraftLock(file)
    #expect(first != nil)
    #expect(DraftLock(file) == nil)
    #expect(DraftLock(DraftFile(folder: folder.path, name: "bea", room: room)) != nil)
    first = nil
    #expect(DraftLock(file) != nil)
  }

  @Test func `the folder is at the system's standard place or at CHAT_DRAFTS`() {
    #expect(DraftFile.folder(environment: ["CHAT_DRAFTS": "/x", "HOME": "/h"]) == "/x")
    #if os(Linux)
    #expect(
      DraftFile.folder(environment: ["HOME": "/h", "XDG_STATE_HOME": "/s"]) == "/s/signalbox-chat")
    #expect(
      DraftFile.folder(environment: ["HOME": "/h", "XDG_STATE_HOME": "s", "CHAT_DRAFTS": ""])
        == "/h/.local/state/signalbox-chat")
    #endif
  }
}
