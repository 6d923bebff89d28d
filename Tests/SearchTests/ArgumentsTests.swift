import Terminal
import Testing

@testable import Search

struct ArgumentsTests {
  @Test func `without arguments it searches the folder that one is in`() throws {
    #expect(try Arguments([String]()).folder == ".")
  }

  @Test func `a folder can be named`() throws {
    #expect(try Arguments(["/usr/share"]).folder == "/usr/share")
  }

  @Test func `help needs nothing else to be right`() throws {
    #expect(try Arguments(["--help"]).wantsHelp)
    #expect(try Arguments(["-h", "--nonsense"]).wantsHelp)
  }

  @Test(arguments: [["--nonsense"], ["a", "b"], [""], ["-x"]])
  func `what makes no sense is refused with a sentence`(words: [String]) {
    let misuse = #expect(throws: Misuse.self) { try Arguments(words) }
    #expect(misuse?.description.isEmpty == false)
  }
}
