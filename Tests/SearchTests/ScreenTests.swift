import ExampleTesting
import Foundation
import Testing

/// Records what a person sees of the search.
struct ScreenTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for file in [
      "Package.swift", ".gitignore", ".build/Tests.swift", "Built/Test.swift", "notes.txt",
      "Tests/FirstTests.swift", "Tests/a.o",
    ] {
      let url = folder.url.appending(path: file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file == ".gitignore" ? "Built/\n*.o\n".utf8 : "".utf8).write(to: url)
    }
  }

  private func search(_ arguments: String..., columns: Int = 50, rows: Int = 7) throws -> Program {
    try .inTerminal(
      "Search", arguments, in: folder.path, screen: Screen(columns: columns, rows: rows))
  }

  @Test func `a person searches, and what matches is marked`() async throws {
    let search = try search()
    await search.looks(
      like: """
        search> ▏
        Type a part of a name.
        """)
    search.type("TESTS.")
    await search.looks(
      like: """
        search> TESTS.▏
        1 of 4 names.
        Tests/First«Tests.»swift
        """)
    search.type("\u{1B}")
    await search.looks(
      like: """
        search> ▏
        Type a part of a name.
        """)
    search.type("a.\u{3}")
    #expect(await search.exitCode() == 0)
    await search.looks(like: "▏")
  }

  @Test func `hidden and ignored files are found on request`() async throws {
    let search = try search("--all")
    search.type("build")
    await search.looks(
      like: """
        search> build▏
        1 of 10 names.
        .«build»
        """)
    search.type("\u{15}.o")
    await search.looks(
      like: """
        search> .o▏
        1 of 10 names.
        Tests/a«.o»
        """)
  }

  @Test func `a person scrolls, and sees how many more there are`() async throws {
    let many = folder.url.appending(path: "many")
    // Each folder has one name, so the order does not depend on the disk.
    var inner = many
    for number in 1...9 {
      inner.append(path: "f\(number)")
      try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    }
    let search = try Program.inTerminal(
      "Search", ["many"], in: folder.path, screen: Screen(columns: 50, rows: 7))
    search.type("f\r")
    await search.looks(
      like: """
        search> f▏
        9 of 9 names.
        many/«f»1
        many/f1/«f»2
        many/f1/f2/«f»3
        many/f1/f2/f3/«f»4
        More: 5 below. The arrow keys scroll.
        """)
    search.type("\u{1B}[B\u{1B}[6~")
    await search.looks(
      like: """
        search> f▏
        9 of 9 names.
        many/f1/f2/f3/f4/f5/«f»6
        many/f1/f2/f3/f4/f5/f6/«f»7
        many/f1/f2/f3/f4/f5/f6/f7/«f»8
        many/f1/f2/f3/f4/f5/f6/f7/f8/«f»9
        More: 5 above. The arrow keys scroll.
        """)
    search.type("\u{1B}[A")
    await search.looks(
      like: """
        search> f▏
        9 of 9 names.
        many/f1/f2/f3/f4/«f»5
        many/f1/f2/f3/f4/f5/«f»6
        many/f1/f2/f3/f4/f5/f6/«f»7
        many/f1/f2/f3/f4/f5/f6/f7/«f»8
        More: 4 above, 1 below. The arrow keys scroll.
        """)
    search.resize(columns: 24, rows: 6)
    await search.looks(
      like: """
        search> f▏
        9 of 9 names.
        many/f1/f2/f3/f4/«f»5
        many/f1/f2/f3/f4/f5/«f»6
        …y/f1/f2/f3/f4/f5/f6/«f»7
        More: 4 above, 2 below.
        """)
    search.type("2\r")
    await search.looks(
      like: """
        search> f2▏
        1 of 9 names.
        many/f1/«f2»
        """)
  }

  @Test func `a narrower window leaves no stale line`() async throws {
    let search = try search()
    await search.shows("Type a part")
    search.type("0123456789abcdefghij\r")
    await search.looks(
      like: """
        search> 0123456789abcdefghij▏
        0 of 4 names.
        """)
    search.resize(columns: 14, rows: 7)
    await search.looks(
      like: """
        search> fghij▏
        0 of 4 names.
        """)
  }
}
