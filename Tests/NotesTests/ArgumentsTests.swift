import Foundation
import Terminal
import Testing

@testable import Notes

struct ArgumentsTests {
  @Test func `without arguments the notes are in the user's folder`() throws {
    #expect(try Arguments([String]()) == Arguments())
  }

  @Test(arguments: [["--folder", "notes"], ["--folder=notes"]])
  func `a folder can be given in both spellings`(words: [String]) throws {
    #expect(try Arguments(words).folder == "notes")
  }

  @Test func `help is accepted with invalid arguments`() throws {
    #expect(try Arguments(["-h", "--nonsense"]).wantsHelp)
  }

  @Test func `a link says what is shown at first`() throws {
    let arguments = try Arguments(["--folder", "notes", "notes://note/3/attachment/1"])
    #expect(arguments.link == URL(string: "notes://note/3/attachment/1"))
  }

  @Test(arguments: [
    ["--nonsense"], ["folder"], ["notes://note"], ["notes://note/1", "notes://"], ["--folder"],
    ["--folder="], ["\u{1B}[2J"],
  ])
  func `invalid arguments are refused with a message`(words: [String]) {
    let misuse = #expect(throws: Misuse.self) { try Arguments(words) }
    #expect(misuse?.description.contains("\u{1B}") == false)
  }
}

struct ScriptCommandTests {
  @Test(arguments: [
    ("new Buy  milk", ScriptCommand.new("Buy  milk")), ("edit 2 milk", .edit(2, "milk")),
    ("done", .draft(.done)), ("discard", .draft(.discard)), ("pin 1", .note(1, .pin)),
    ("share 12", .note(12, .share)), ("remove 3", .remove(3)), ("list", .search("")),
    ("search milk", .search("milk")), ("order", .order), ("author ann", .author("ann")),
    ("back", .back), ("yes", .answer(isYes: true)), ("no", .answer(isYes: false)),
  ])
  func `a line is a command`(line: String, command: ScriptCommand) {
    #expect(ScriptCommand(line) == command)
  }

  @Test func `a link can be opened`() {
    #expect(
      ScriptCommand("open notes://note/1")
        == URL(string: "notes://note/1").map { ScriptCommand.open($0) })
  }

  @Test(arguments: ["milk", "open", "pin", "pin milk", "edit", "Done"])
  func `other lines are none`(line: String) {
    #expect(ScriptCommand(line) == nil)
  }

  @Test func `a file to record into can be named`() throws {
    #expect(try Arguments(["--record", "run.jsonl"]).record == "run.jsonl")
    #expect(throws: Misuse.self) { try Arguments(["--record"]) }
  }
}
