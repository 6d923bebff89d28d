import ExampleTesting
import Foundation
import RandomPrograms
import Signalbox
import SignalboxStorage
import Terminal
import Testing

@testable import StorageProbe

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Processes that are killed while they save, and processes that share a file.
@MainActor @Suite(.timeLimit(.minutes(60))) struct KillTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func probe(_ words: String...) throws -> Program {
    try .betweenPipes("StorageProbe", [folder.path] + words)
  }

  @Test(
    "P3 P8 a process that is killed at any of its calls leaves what was flushed, and it is whole")
  func everyCall() async throws {
    var last = 0
    for call in 1...24 {
      let program = try probe("save", "\(last + 1)", "\(last + 4)", "\(call)")
      let code = await program.exitCode()
      _ = await program.output.end()
      let number = try ProbedDraft.stored(in: folder.path)
      #expect(number >= max(last, ProbedDraft.newest(in: program.output.text)), "call \(call)")
      #expect(number <= last + 4)
      #expect(code == 128 + SIGKILL || call > 18, "call \(call): \(String(describing: code))")
      last = number
    }
  }

  /// `SIGNALBOX_KILLS=1000` kills more processes.
  private static let kills =
    ProcessInfo.processInfo.environment["SIGNALBOX_KILLS"].flatMap(Int.init) ?? 20

  @Test(
    "P3 P8 a process that is killed at a random moment leaves what was flushed, and it is whole")
  func randomMoments() async throws {
    var random = SeededRandom(seed: 7)
    var last = 0
    for kill in 0..<Self.kills {
      // So few that it ends soon when this process comes late, instead of keeping a core busy.
      let program = try probe("save", "\(last + 1)", "\(last + 500)")
      for _ in 0...random.below(40) { _ = await program.output.has("flushed") }
      program.signal(SIGKILL)
      _ = await program.exitCode()
      _ = await program.output.end()
      let number = try ProbedDraft.stored(in: folder.path)
      #expect(number >= max(last, ProbedDraft.newest(in: program.output.text)), "kill \(kill)")
      last = number
    }
    #expect(last > 0, "Nothing was ever flushed.")
  }

  @Test("P7 of two processes, the second is told that it is busy, until the first is killed")
  func twoProcesses() async throws {
    let first = try probe("hold")
    await first.shows("nothing\n")
    let second = try probe("save", "1", "1")
    await second.shows("busy\n")
    #expect(await second.exitCode() != 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/probe.json"))
    var state = 0
    let saved = SavedState<Int>("probe", in: FileStorage(folder: URL(filePath: folder.path)))
    #expect(saved.restore(into: &state) == .busy)
    first.signal(SIGKILL)
    _ = await first.exitCode()
    let third = try probe("save", "1", "1")
    await third.shows("nothing\nflushed 1\n")
    #expect(await third.exitCode() == 0)
    #expect(saved.restore(into: &state) == .restored)
  }
}
