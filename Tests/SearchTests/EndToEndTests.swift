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
    for name in ["needle.txt", "hay", "pin"] {
      try Data().write(to: URL(filePath: folder.path).appending(path: name))
    }
  }

  private func script(_ arguments: String...) throws -> Program {
    try .betweenPipes("Search", arguments)
  }

  // MARK: In a terminal

  @Test func `names show up as one types, Escape empties the line, and Ctrl-C leaves`() async throws
  {
    let search = try Program.inTerminal("Search", [folder.path])
    await search.shows("search> ")
    await search.shows("Type a part of a name.")
    search.type("need")
    await search.shows("search> need")
    await search.shows("1 of 3 names.")
    await search.shows("\(folder.path)/needle.txt")
    search.type("\u{1B}")
    await search.shows("Type a part of a name.")
    search.type("i\r")
    await search.shows("1 of 3 names.")
    await search.shows("\(folder.path)/pin")
    search.type("\u{3}")
    #expect(await search.exitCode() == 0)
  }

  @Test func `what does not fit into the window is left out`() async throws {
    let search = try Program.inTerminal("Search", [folder.path])
    await search.shows("Type a part of a name.")
    search.resize(columns: 10, rows: 2)
    await search.shows("search> ")
    await search.shows("Type a pa\u{1B}")
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `a signal ends it, and gives the terminal back`(signal: Int32) async throws {
    let search = try Program.inTerminal("Search", [folder.path])
    await search.shows("Type a part of a name.")
    search.signal(signal)
    await search.shows("\u{1B}[?2004l")
    #expect(await search.exitCode() == 128 + signal)
  }

  // MARK: Between pipes

  @Test func `each line is a query, and the end comes when the last one has been answered`()
    async throws
  {
    let search = try script(folder.path)
    search.type("NEEDLE\n\nnothing\npi")
    search.closeInput()
    #expect(await search.exitCode() == 0)
    #expect(await search.output.end())
    #expect(search.output.text == "\(folder.path)/needle.txt\n\(folder.path)/pin\n")
    await search.complains("NEEDLE: 1 of 3 names.\nnothing: 0 of 3 names.\npi: 1 of 3 names.\n")
  }

  @Test func `more is printed than a window would show`() async throws {
    for number in 1...1_500 {
      try Data().write(to: URL(filePath: folder.path).appending(path: "many \(number)"))
    }
    let search = try script(folder.path)
    search.type("many")
    search.closeInput()
    #expect(await search.exitCode() == 0)
    #expect(await search.output.end())
    #expect(search.output.text.split(separator: "\n").count == 1_500)
  }

  @Test func `a line that is no query gets a sentence`() async throws {
    let search = try script(folder.path)
    search.type(String(repeating: "x", count: 5_000) + "\npin\n")
    search.closeInput()
    await search.complains("Line 1 has more than 4096 bytes and was not searched for.")
    await search.shows("\(folder.path)/pin\n")
    #expect(await search.exitCode() == 1)
  }

  @Test func `what is no folder gets a sentence, the usage, and exit code 2`() async throws {
    let search = try script("\(folder.path)/hay")
    await search.complains("\(folder.path)/hay cannot be searched: Not a directory.")
    await search.complains("usage: Search")
    #expect(await search.exitCode() == 2)
    #expect(search.output.text == "")
  }

  @Test func `help goes to standard output`() async throws {
    let search = try script("--help")
    await search.shows("usage: Search")
    #expect(await search.exitCode() == 0)
  }
}
