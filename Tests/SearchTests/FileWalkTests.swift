import ExampleTesting
import Foundation
import Testing

@testable import Search

struct FileWalkTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func make(_ files: String...) throws {
    for file in files {
      let url = URL(filePath: folder.path).appending(path: file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
    }
  }

  private func walk(_ query: String, clock: TickingClock = TickingClock()) -> FileWalk {
    FileWalk(
      below: folder.path, for: NameFilter(query), interval: .seconds(1_000), clock: clock)
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
    try make("needle", "a/b/c/needle.txt", "a/needles/x", "a/hay", ".hidden/needle")
    let findings = await all(walk("needle"))
    #expect(
      findings.paths.elements.sorted()
        == [".hidden/needle", "a/b/c/needle.txt", "a/needles", "needle"])
    #expect(findings.lookedAt == 10)
    #expect(findings.unreadable.count == 0)
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

  @Test func `precomposed and decomposed accents match`() {
    #expect(NameFilter("GRÜSSE").matches("gru\u{308}sse.txt"))
    #expect(NameFilter("gru\u{308}").matches("Grüße"))
    #expect(!NameFilter("gru").matches("Grüße"))
  }
}
