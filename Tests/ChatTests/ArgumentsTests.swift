import Terminal
import Testing

@testable import Chat

struct ArgumentsTests {
  @Test func `without arguments the program joins the room on this machine`() throws {
    let arguments = try Arguments([String]())
    #expect(arguments.mode == .join)
    #expect(arguments.name == nil)
    #expect(arguments.room == Address(host: "127.0.0.1", port: 17345))
  }

  @Test func `name and room are accepted in both spellings`() throws {
    let one = try Arguments(["--name", "Ada", "--room", "example.org:80"])
    #expect(one.name == "Ada")
    #expect(one.room == Address(host: "example.org", port: 80))
    #expect(try Arguments(["--room=example.org:80", "--name=Ada"]) == one)
  }

  @Test func `a room can be served, also on any free port`() throws {
    #expect(try Arguments(["--serve"]).mode == .serve)
    #expect(try Arguments(["--serve", "--room", "localhost:0"]).room.port == 0)
  }

  @Test func `help is accepted with invalid arguments`() throws {
    #expect(try Arguments(["--help"]).mode == .help)
    #expect(try Arguments(["-h", "--nonsense"]).mode == .help)
  }

  @Test(arguments: [
    ["--nonsense"], ["hello"], ["--name"], ["--name", ""], ["--name", "a:b"],
    ["--name", "--serve"], ["--room"],
    ["--room", "localhost"], ["--room", "localhost:"], ["--room", ":80"],
    ["--room", "localhost:65536"], ["--room", "localhost:+1"], ["--room", "a b:1"],
    ["--room", "::1:80"], ["--room", "localhost:0"], ["--serve=yes"],
  ])
  func `invalid arguments are refused with a message`(words: [String]) {
    let misuse = #expect(throws: Misuse.self) { try Arguments(words) }
    #expect(misuse?.description.isEmpty == false)
  }

  @Test func `control characters in a refusal are escaped`() {
    let misuse = #expect(throws: Misuse.self) { try Arguments(["\u{1B}[2J"]) }
    #expect(misuse?.description.contains("\u{1B}") == false)
  }

  @Test func `a file to record into can be named`() throws {
    #expect(try Arguments(["--record", "run.jsonl"]).record == "run.jsonl")
    #expect(throws: Misuse.self) { try Arguments(["--record"]) }
  }
}
