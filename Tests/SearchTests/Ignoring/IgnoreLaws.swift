import ExampleTesting
import Foundation
import RandomPrograms
import Terminal
import Testing

@testable import Search

/// Random folders with random `.gitignore` files, in which the search and git must find the same.
@Suite(.enabled(if: Git.isInstalled), .timeLimit(.minutes(60)))
struct IgnoreLaws {
  @Test(arguments: [LawPrograms.seeds(40)])
  func `the search finds the files that git does not ignore`(seeds: Range<UInt64>) async throws {
    for seed in seeds {
      let folder = try TemporaryFolder()
      var program = RandomFolder(seed: seed)
      try program.make(in: folder.path)
      let walk = FileWalk(below: folder.path, for: NameFilter(""))
      var found: Set<String> = []
      while let step = await walk.next() {
        found.formUnion(step.paths.map { String($0.dropFirst(folder.path.count + 1)) })
      }
      let ignored = try await Git.ignored(program.paths, in: folder.path)
      let wrong = found.symmetricDifference(Set(program.paths).subtracting(ignored))
      #expect(wrong.isEmpty, "Seed \(seed): \(wrong.sorted()) of \(program.files)")
    }
  }
}

/// Folders and files with few names, so that patterns match some of them.
private struct RandomFolder {
  private var random: SeededRandom
  private(set) var paths: [String] = []
  /// The `.gitignore` files, by their folders.
  private(set) var files: [String: String] = [:]

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func make(in root: String) throws {
    try fill("", in: root, depth: 0)
  }

  private mutating func fill(_ folder: String, in root: String, depth: Int) throws {
    if depth == 0 || random.oneIn(3) {
      let lines = random.list(1 + random.below(5)) { Self.line(&$0) }
      files[folder] = lines.joined(separator: random.oneIn(8) ? "\r\n" : "\n")
      try files[folder]?.write(
        toFile: "\(root)/\(folder).gitignore", atomically: true, encoding: .utf8)
    }
    for name in ["a", "ab", "b", "ba", "é", "a b", "#a", "!b"] where random.below(3) > 0 {
      let path = folder + name
      paths.append(path)
      if depth < 3, random.oneIn(3) {
        try FileManager.default.createDirectory(
          atPath: "\(root)/\(path)", withIntermediateDirectories: true)
        try fill("\(path)/", in: root, depth: depth + 1)
      } else {
        try Data().write(to: URL(filePath: "\(root)/\(path)"))
      }
    }
  }

  private static func line(_ random: inout SeededRandom) -> String {
    if random.oneIn(10) { return random.pick(["", "# a", " ", "/", "!", "**", "*/", "!*/", "//"]) }
    let names = random.list(1 + random.below(3)) { random in
      switch random.below(5) {
      case 0: "**"
      case 1: random.pick(["a", "b", "ab", "é", "a b", "#a", "!b"])
      default:
        // Not with two stars in a row: git reads the last part of `a**/b` as `**/b`.
        random.list(1 + random.below(3)) { $0.pick(["a", "b", "*", "?", "a"]) }.joined()
          .replacing("**", with: "*")
      }
    }
    return (random.oneIn(4) ? "!" : "") + (random.oneIn(4) ? "/" : "")
      + names.joined(separator: "/") + (random.oneIn(4) ? "/" : "") + (random.oneIn(9) ? " " : "")
  }
}

/// The git of this machine.
private enum Git {
  static let isInstalled = (try? run(["--version"], in: "/", input: "")) != nil

  /// The paths that git ignores in a new repository.
  static func ignored(_ paths: [String], in folder: String) async throws -> Set<String> {
    let input = paths.map { "\($0)\0" }.joined()
    return try await onThread {
      Result {
        _ = try run(["init", "--quiet"], in: folder, input: "")
        let output = try run(["check-ignore", "-z", "--stdin"], in: folder, input: input)
        return Set(output.split(separator: "\0").map(String.init))
      }
    }.get()
  }

  private static func run(_ arguments: [String], in folder: String, input: String) throws -> String
  {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["git"] + arguments
    process.currentDirectoryURL = URL(filePath: folder)
    // Neither the user's nor the machine's settings count.
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": "/dev/null",
      "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
    ]
    let (stdin, stdout) = (Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = FileHandle.nullDevice
    try process.run()
    try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    let output = stdout.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // `check-ignore` exits with 1 if it finds nothing.
    guard process.terminationStatus <= 1 else { throw CocoaError(.executableLoad) }
    return String(decoding: output, as: UTF8.self)
  }
}
