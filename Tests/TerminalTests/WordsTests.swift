import Testing

@testable import Terminal

struct WordsTests {
  @Test func `the value of an option follows an equals sign or is the next word`() throws {
    var words = Words(["--a=b=c", "--a", "b", "d=e"])
    for value in ["b=c", "b"] {
      #expect(words.next() == "--a")
      #expect(try words.value(of: "--a") == value)
    }
    #expect(words.next() == "d=e")
    #expect(words.next() == nil)
  }

  @Test(arguments: [["--a"], ["--a", "--b"]])
  func `an option without a value is refused`(line: [String]) {
    var words = Words(line)
    _ = words.next()
    #expect(throws: Misuse("--a needs a value.")) { try words.value(of: "--a") }
  }
}
