import Terminal
import Testing

@testable import Form

struct ArgumentsTests {
  @Test func `without arguments nothing is logged`() throws {
    #expect(try Arguments([String]()) == Arguments())
  }

  @Test(arguments: [["--log", "file"], ["--log=file"]])
  func `a log file can be given in both spellings`(words: [String]) throws {
    #expect(try Arguments(words).log == "file")
  }

  @Test func `help is accepted with invalid arguments`() throws {
    #expect(try Arguments(["-h", "--nonsense"]).wantsHelp)
  }

  @Test(arguments: [["--nonsense"], ["file"], ["--log"], ["--log", "--help"], ["\u{1B}[2J"]])
  func `invalid arguments are refused with a message`(words: [String]) {
    let misuse = #expect(throws: Misuse.self) { try Arguments(words) }
    #expect(misuse?.description.contains("\u{1B}") == false)
  }

  @Test func `a file to record into can be named`() throws {
    #expect(try Arguments(["--record", "run.jsonl"]).record == "run.jsonl")
    #expect(throws: Misuse.self) { try Arguments(["--record"]) }
  }
}
