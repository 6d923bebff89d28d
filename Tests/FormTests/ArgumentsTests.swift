import Terminal
import Testing

@testable import Form

struct ArgumentsTests {
  @Test func `without arguments nothing is logged`() throws {
    #expect(try Arguments([String]()) == Arguments())
  }

  @Test(arguments: [["--log", "file"], ["--log=file"]])
  func `a log can be named, in either spelling`(words: [String]) throws {
    #expect(try Arguments(words).log == "file")
  }

  @Test func `help needs nothing else to be right`() throws {
    #expect(try Arguments(["-h", "--nonsense"]).wantsHelp)
  }

  @Test(arguments: [["--nonsense"], ["file"], ["--log"], ["--log", "--help"], ["\u{1B}[2J"]])
  func `what makes no sense is refused with a sentence`(words: [String]) {
    let misuse = #expect(throws: Misuse.self) { try Arguments(words) }
    #expect(misuse?.description.contains("\u{1B}") == false)
  }
}
