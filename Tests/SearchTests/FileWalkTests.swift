import ExampleTesting
import Foundation
import Testing

@testable import Search

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

struct FileWalkTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func url(_ file: String) -> URL { URL(filePath: folder.path).appending(path: file) }

  private func make(_ files: String...) throws {
    for file in files {
      let url = url(file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
    }
  }

  private func walk(
    _ query: String, showsHidden: Bool = false, clock: TickingClock = TickingClock()
  ) -> FileWalk {
    FileWalk(
      below: folder.path, for: NameFilter(query), showsHidden: showsHidden,
      interval: .seconds(1_000), clock: clock)
  }

  /// All findings of a walk, with paths relative to this folder.
  private func all(_ walk: FileWalk) async -> Findings {
    var findings = Findings()
    while let step = await walk.next() {
      findings.add(
        SearchStep(
          paths: step.paths.map { String($0.dropFirst(folder.path.count + 1)) },
          lookedAt: step.lookedAt, unreadable: step.unreadable))
    }
    return findings
  }

  @Test func `names of files and folders are found in all folders`() async throws {
    try make("needle", "a/b/c/needle.txt", "a/needles/x", "a/hay")
    let findings = await all(walk("needle"))
    #expect(findings.paths.elements.sorted() == ["a/b/c/needle.txt", "a/needles", "needle"])
    #expect(findings.lookedAt == 8)
    #expect(findings.unreadable.count == 0)
  }

  @Test func `hidden and ignored files are found only on request`() async throws {
    try make("needle", ".hidden/needle", ".needle", "a/built/needle", "a/needle.o", "a/keep/needle")
    try "built/\n*.o".write(to: url(".gitignore"), atomically: true, encoding: .utf8)
    try "needle".write(to: url("a/keep/.gitignore"), atomically: true, encoding: .utf8)
    let shown = await all(walk("needle"))
    #expect(shown.paths.elements == ["needle"])
    #expect(shown.lookedAt == 3)
    let everything = await all(walk("needle", showsHidden: true))
    #expect(everything.paths.count == 6)
  }

  @Test func `a gitignore that is no file hides nothing, and the walk does not wait for it`()
    async throws
  {
    try make("needle", "a/needle", "b/.gitignore/x", "b/needle")
    #expect(unsafe mkfifo(folder.path + "/.gitignore", 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/a/.gitignore", withDestinationPath: "/dev/zero")
    let findings = await all(walk("needle"))
    #expect(findings.paths.elements.sorted() == ["a/needle", "b/needle", "needle"])
  }

  @Test func `links are not followed, because they may form cycles`() async throws {
    try make("a/needle")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/a/back", withDestinationPath: "..")
    let findings = await all(walk("needle"))
    #expect(findings.paths.elements == ["a/needle"])
    #expect(findings.lookedAt == 3)
  }

  @Test func `no step takes longer than the interval`() async throws {
    try make("a", "b/c", "d")
    let walk = FileWalk(
      below: folder.path, for: NameFilter("z"), interval: .seconds(1), clock: TickingClock())
    var steps: [Int] = []
    while let step = await walk.next() { steps.append(step.lookedAt) }
    #expect(steps.allSatisfy { $0 <= 1 })
    #expect(steps.reduce(0, +) == 4)
  }

  @Test func `a folder that vanishes is reported, and the walk continues elsewhere`() async throws {
    try make("gone/x", "stays/needle")
    let walk = FileWalk(
      below: folder.path, for: NameFilter("needle"), interval: .seconds(1), clock: TickingClock())
    var findings = Findings()
    // Both folders have been listed by now, and neither has been opened.
    while findings.lookedAt < 2, let step = await walk.next() { findings.add(step) }
    try FileManager.default.removeItem(atPath: folder.path + "/gone")
    while let step = await walk.next() { findings.add(step) }
    #expect(
      findings.unreadable.elements == [
        UnreadableFolder(path: folder.path + "/gone", reason: "No such file or directory")
      ])
    #expect(findings.paths.elements == [folder.path + "/stays/needle"])
  }

  @Test func `a path that is not a folder is reported`() async throws {
    try make("file")
    let walk = FileWalk(below: folder.path + "/file", for: NameFilter("x"))
    let step = await walk.next()
    #expect(step?.unreadable.map(\.reason) == ["Not a directory"])
    #expect(await walk.next() == nil)
  }

  @Test func `a walk that is cancelled stops at the next name`() async throws {
    for name in 1...100 { try make("\(name)") }
    let clock = TickingClock { now in
      if now == 10 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
    }
    let walk = walk("1", clock: clock)
    let step = await Task { await walk.next() }.value
    #expect(step == nil)
    #expect(clock.readings == 10)
  }

  @Test func `the service finds files`() async throws {
    try make("a/needle")
    let service = SearchService.files(below: folder.path)
    var paths: [String] = []
    for await step in await service.search("NEED") { paths += step.paths }
    #expect(paths == [folder.path + "/a/needle"])
  }

  @Test func `paths start with the folder as it was given`() async throws {
    try make("needle")
    let entry = Folder.Entry(name: "needle", isFolder: false)
    #expect(try Folder(".").path(of: entry) == "needle")
    #expect(try Folder("/").path(of: entry) == "/needle")
    #expect(try Folder(folder.path).path(of: entry) == folder.path + "/needle")
  }
}

struct NameFilterTests {
  @Test(arguments: ["read", "README", "readme.md", "DME", "README.MD"])
  func `matching ignores case`(query: String) {
    #expect(NameFilter(query).matches("ReadMe.md"))
  }

  @Test func `a name matches only if it contains the letters in a row`() {
    #expect(!NameFilter("raed").matches("ReadMe.md"))
    #expect(!NameFilter("readme.md~").matches("ReadMe.md"))
  }

  @Test(arguments: ["a", "SS", "ß", "i", "İ", "ru\u{308}", "Σς", "é.", ""])
  func `a name matches where a part of it matches`(query: String) {
    let filter = NameFilter(query)
    for name in ["a", "bA", "Grüße", "GRÜSSE", "İstanbul", "ΟΔΟΣ", "σςσ", "cafe\u{301}.txt", "x"] {
      let range = filter.range(in: name[...])
      #expect((range != nil) == filter.matches(name))
      #expect(range.map { name[$0].lowercased() == query.lowercased() } ?? true)
    }
  }

  @Test func `precomposed and decomposed accents match`() {
    #expect(NameFilter("GRÜSSE").matches("gru\u{308}sse.txt"))
    #expect(NameFilter("gru\u{308}").matches("Grüße"))
    #expect(!NameFilter("gru").matches("Grüße"))
  }
}
