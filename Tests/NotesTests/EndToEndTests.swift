import ExampleTesting
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Tests the program as users run it, as a real process in a terminal or between pipes.
struct EndToEndTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func terminal(_ arguments: String...) throws -> Program {
    try .inTerminal("Notes", ["--folder", folder.path] + arguments)
  }

  /// Makes a file and returns its address.
  private func file(_ text: String) throws -> String {
    let file = URL(filePath: folder.path + "/list.txt")
    try Data(text.utf8).write(to: file)
    return file.absoluteString
  }

  private func script(_ lines: String...) throws -> Program {
    let notes = try Program.betweenPipes("Notes", ["--folder", folder.path])
    notes.type(lines.joined(separator: "\n"))
    notes.closeInput()
    return notes
  }

  // MARK: In a terminal

  @Test func `a user writes, pins, shares and edits notes`() async throws {
    let notes = try terminal()
    await notes.shows("0 of 0 notes, newest first")
    notes.type("nBuy milk")
    await notes.shows("note> Buy milk")
    await notes.shows("2 words")
    notes.type("\rnCall ann\r")
    await notes.shows(">   2 Call ann")
    notes.type("\u{1B}[Bp")
    await notes.shows("> * 1 Buy milk")
    notes.type("s")
    await notes.shows("1 Buy milk (sharing…)")
    await notes.shows("1 Buy milk (board/anyone/1)")
    // The board answers after half a second, so the keys arrive at once. The second Escape tells that
    // the first one begins no sequence, and cancels nothing.
    notes.type("s\u{1B}\u{1B}")
    await notes.shows("1 Buy milk (sharing…)")
    await notes.shows("1 Buy milk (Cancelled.)")
    notes.type("e and bread\r")
    await notes.shows("1 Buy milk and bread\u{1B}")
    notes.type("d")
    await notes.shows("Delete the note? ")
    notes.type("y")
    await notes.shows("1 of 1 notes")
    notes.type("q")
    #expect(await notes.exitCode() == 0)
  }

  @Test func `a user goes to a file of a note and back`() async throws {
    let file = try file("eggs and milk")
    _ = try await script("new Buy what is in \(file)", "done").exitCode()
    let notes = try terminal()
    await notes.shows("notes> ")
    notes.type("\r")
    await notes.shows("note 1> ")
    await notes.shows("    1 \(file)")
    notes.type("1")
    await notes.shows("file 1> ")
    await notes.shows("eggs and milk")
    // The second Escape tells that the first one begins no sequence.
    notes.type("\u{1B}\u{1B}")
    await notes.shows("notes> ")
    notes.type("q")
    #expect(await notes.exitCode() == 0)
  }

  @Test func `a link shows a file at once, and the screens below it`() async throws {
    _ = try await script("new Buy what is in \(try file("eggs"))", "done").exitCode()
    let notes = try terminal("notes://note/1/attachment/1")
    await notes.shows("file 1> ")
    await notes.shows("eggs")
    notes.type("\u{1B}")
    await notes.shows("note 1> ")
    notes.type("\u{3}")
    #expect(await notes.exitCode() == 0)
    let other = try terminal("notes://note/2")
    await other.shows("The link leads nowhere. ")
    other.type("\r")
    await other.shows("notes> ")
  }

  @Test func `a user searches, and Escape shows all notes again`() async throws {
    _ = try await script("new Buy milk", "done", "new Call ann", "done").exitCode()
    let notes = try terminal()
    await notes.shows("Call ann")
    notes.type("/MILK")
    await notes.shows("1 of 2 notes")
    notes.type("\u{1B}")
    await notes.shows("2 of 2 notes")
    notes.type("oaeve\r")
    await notes.shows("author> eve")
    await notes.shows("2 of 2 notes, in alphabetical order")
    notes.type("\u{3}")
    #expect(await notes.exitCode() == 0)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `a draft outlives a signal, to the last keystroke`(signal: Int32) async throws {
    let notes = try terminal()
    await notes.shows("notes> ")
    notes.type("nhalf a thou")
    await notes.shows("note> half a thou")
    notes.signal(signal)
    #expect(await notes.exitCode() == 128 + signal)
    let again = try terminal()
    await again.shows("note> half a thou")
    again.type("ght\r")
    await again.shows("1 half a thought")
  }

  @Test func `lines that do not fit into the window are left out`() async throws {
    _ = try await script("new one", "done", "new two", "done", "new three", "done").exitCode()
    let notes = try terminal()
    await notes.shows("1 one")
    notes.resize(columns: 10, rows: 4)
    await notes.shows("↵ show  n\u{1B}[K\r\n3 of 3 no\u{1B}[K\r\n>   3 thr\u{1B}[J")
    notes.type("\u{1B}[B\u{1B}[B")
    await notes.shows(">   1 one\u{1B}[J")
  }

  // MARK: Between pipes

  @Test func `notes are kept between runs`() async throws {
    #expect(try await script("new Buy milk", "done", "pin 1", "new half").exitCode() == 0)
    let notes = try script("list", "new other", "done", "list")
    #expect(await notes.exitCode() == 1)
    await notes.complains("There is a draft. End it with done or discard.\n")
    #expect(await notes.output.end())
    #expect(notes.output.text == "* 1 Buy milk\n* 1 Buy milk\n  2 half\n")
  }

  @Test func `a note is shared once`() async throws {
    let notes = try script("author ann", "new Buy milk", "done", "share 1", "share 1")
    #expect(await notes.exitCode() == 1)
    await notes.complains("The board already has this note.\n")
    #expect(await notes.output.end())
    #expect(notes.output.text == "board/ann/1\n")
  }

  @Test func `links are opened, and screens are left`() async throws {
    let file = try file("eggs")
    let notes = try script(
      "new Buy \(file)", "done", "open notes://note/1/attachment/1", "back",
      "open notes://note/2", "open notes:note", "back")
    #expect(await notes.exitCode() == 1)
    await notes.complains(
      """
      The link leads nowhere. notes://note/2
      The link leads nowhere. notes:note

      """)
    #expect(await notes.output.end())
    let note = "  1 Buy \(file)\n"
    #expect(notes.output.text == "eggs\n\(note)    1 \(file)\n\(note)")
  }

  @Test func `a user is asked before a note is removed`() async throws {
    let notes = try script(
      "new milk", "done", "remove 1", "no", "list", "remove 1", "yes", "list", "yes")
    #expect(await notes.exitCode() == 1)
    await notes.complains("Delete the note?\nDelete the note?\nNothing is asked.\n")
    #expect(await notes.output.end())
    #expect(notes.output.text == "  1 milk\n")
  }

  @Test func `mistakes are reported, and the next line is read`() async throws {
    let notes = try script("pin 1", "milk", "done", "new Buy milk", "done", "list")
    #expect(await notes.exitCode() == 1)
    await notes.complains(
      """
      There is no note 1.
      Line 2 is not a command: milk
      There is no draft.

      """)
    #expect(await notes.output.end())
    #expect(notes.output.text == "  1 Buy milk\n")
  }

  @Test func `notes that are open elsewhere are not opened twice`() async throws {
    let first = try terminal()
    await first.shows("notes> ")
    let second = try script("list")
    #expect(await second.exitCode() == 1)
    await second.complains("has this open, so nothing is saved here")
  }

  @Test func `notes that cannot be saved are not opened`() async throws {
    let notes = try Program.betweenPipes("Notes", ["--folder", "/dev/null/notes"])
    #expect(await notes.exitCode() == 1)
    await notes.complains("What is stored cannot be read, so nothing is saved: /dev/null/notes")
  }

  @Test func `damaged notes are set aside, and new ones are kept`() async throws {
    try Data("damaged".utf8).write(to: URL(filePath: folder.path + "/notebook.json"))
    let notes = try script("list", "new Buy milk", "done")
    #expect(await notes.exitCode() == 0)
    await notes.complains("The stored values could not be decoded. They were kept under the name")
    let again = try script("list")
    #expect(await again.exitCode() == 0)
    await again.shows("1 Buy milk")
  }

  @Test func `help goes to standard output`() async throws {
    let notes = try Program.betweenPipes("Notes", ["--help"])
    await notes.shows("usage: Notes")
    #expect(await notes.exitCode() == 0)
  }
}
