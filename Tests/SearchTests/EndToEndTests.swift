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

  @Test func `names appear while typing, Escape clears the line, and Ctrl-C quits`() async throws {
    let search = try Program.inTerminal("Search", [folder.path])
    await search.shows("search> ")
    await search.shows("Type a part of a name.")
    search.type("need")
    await search.shows("search> need")
    await search.shows("1 of 3 names.")
    await search.shows("\(folder.path)/\u{1B}[7mneed\u{1B}[27mle.txt")
    search.type("\u{1B}")
    await search.shows("Type a part of a name.")
    search.type("i\r")
    await search.shows("1 of 3 names.")
    await search.shows("\(folder.path)/p\u{1B}[7mi\u{1B}[27mn")
    search.type("\u{3}")
    #expect(await search.exitCode() == 0)
  }

  @Test func `lines that do not fit into the window are left out`() async throws {
    let search = try Program.inTerminal("Search", [folder.path])
    await search.shows("Type a part of a name.")
    search.resize(columns: 10, rows: 2)
    await search.shows("search> ")
    await search.shows("Type a pa\u{1B}")
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `a signal ends the program and restores the terminal`(signal: Int32) async throws {
    let search = try Program.inTerminal("Search", [folder.path])
    await search.shows("Type a part of a name.")
    search.signal(signal)
    await search.shows("\u{1B}[?2004l")
    #expect(await search.exitCode() == 128 + signal)
  }

  // MARK: Between pipes

  @Test func `each line is a query, and the program ends after the last answer`()
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

  @Test func `output between pipes is not limited to a window`() async throws {
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

  @Test func `an invalid query prints a message`() async throws {
    let search = try script(folder.path)
    search.type(String(repeating: "x", count: 5_000) + "\npin\n")
    search.closeInput()
    await search.complains("Line 1 has more than 4096 bytes and was not searched for.")
    await search.shows("\(folder.path)/pin\n")
    #expect(await search.exitCode() == 1)
  }

  @Test func `what happens in the store is recorded if a file is named`() async throws {
    let record = "\(folder.path)/run.jsonl"
    let search = try script(folder.path, "--record", record)
    search.type("pin\n")
    search.closeInput()
    #expect(await search.exitCode() == 0)
    let lines = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n")
    #expect(lines.first?.hasPrefix(#"{"format":"signalbox-trace","version":1"#) == true)
    #expect(lines.contains { $0.contains(#""kind":"dispatched""#) && $0.contains("pin") })
    let refused = try script(folder.path, "--record", "\(folder.path)/no/run.jsonl")
    await refused.complains("no/run.jsonl cannot be written")
    #expect(await refused.exitCode() == 2)
  }

  @Test func `a path that is not a folder prints the usage and exits with 2`() async throws {
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
