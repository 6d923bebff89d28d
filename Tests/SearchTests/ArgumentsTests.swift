import Terminal
import Testing

@testable import Search

struct ArgumentsTests {
  @Test func `without arguments the current folder is searched`() throws {
    #expect(try Arguments([String]()).folder == ".")
  }

  @Test func `a folder can be named`() throws {
    #expect(try Arguments(["/usr/share"]).folder == "/usr/share")
  }

  @Test func `hidden files can be asked for`() throws {
    #expect(try !Arguments(["folder"]).showsHidden)
    #expect(try Arguments(["folder", "--all"]).showsHidden)
  }

  @Test func `help is accepted with invalid arguments`() throws {
    #expect(try Arguments(["--help"]).wantsHelp)
    #expect(try Arguments(["-h", "--nonsense"]).wantsHelp)
  }

  @Test(arguments: [["--nonsense"], ["a", "b"], [""], ["-x"]])
  func `invalid arguments are refused with a message`(words: [String]) {
    let misuse = #expect(throws: Misuse.self) { try Arguments(words) }
    #expect(misuse?.description.isEmpty == false)
  }

  @Test func `a file to record into can be named`() throws {
    #expect(try Arguments(["--record", "run.jsonl"]).record == "run.jsonl")
    #expect(throws: Misuse.self) { try Arguments(["--record"]) }
  }
}
