import Testing

@testable import SignalboxTraceTool

struct ArgumentsTests {
  @Test("R8 options may come in any order and in both spellings")
  func options() throws {
    let arguments = try Arguments([
      "--state=rooms[id: 3].name", "run.jsonl", "--action", ".load(3)", "--hook", "cold",
      "--since", "1.5", "--follow",
    ])
    #expect(arguments.recording == "run.jsonl")
    #expect(arguments.selection.paths == [try PathPattern(#"\.rooms[id: 3].name"#)])
    #expect(arguments.selection.paths[0].steps == [.name("rooms"), .id("3"), .name("name")])
    #expect(arguments.selection.actions == ["load"])
    #expect(arguments.selection.hooks == ["cold"])
    #expect(arguments.selection.since == 1.5)
    #expect(arguments.follows)
  }

  @Test("R8 help is accepted with invalid arguments")
  func help() throws {
    #expect(try Arguments(["-h", "--nonsense"]).wantsHelp)
  }

  @Test(
    "R8 arguments that cannot be used are refused with a sentence",
    arguments: [
      [], ["--nonsense"], ["a", "b"], ["a", "--state"], ["a", "--state", "--follow"],
      ["a", "--since", "noon"], ["a", "--since", "-1"], ["a", "--since", "nan"],
      ["a", "--state", "rooms[3"], ["a", "--state", "a..b"], ["a", "--page", "p", "--follow"],
      ["a", "--chrome", "p", "--hook", "h"], ["-", "--follow"],
      ["a", "--page", "p", "--chrome", "p"],
    ])
  func misuse(words: [String]) {
    let misuse = #expect(throws: Misuse.self) { try Arguments(words) }
    #expect(misuse?.description.hasSuffix(".") == true)
  }
}
