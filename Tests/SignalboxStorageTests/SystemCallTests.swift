#if os(Linux)
import ExampleTesting
import Foundation
import Glibc
import RandomPrograms
import Signalbox
import SignalboxStorage
import Testing

@testable import StorageProbe

/// What the kernel is asked for, and what becomes of a save when it refuses.
///
/// The other tests put a file system of their own in place of `SystemFiles`. These run a program under
/// `strace`, which also makes calls fail or kills the program in one.
@MainActor
@Suite(
  .enabled(if: Tracing.isPossible || Tracing.isRequired, "strace is missing or may not trace."),
  .timeLimit(.minutes(60)))
struct SystemCallTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/a/b"
  }

  /// Runs the probe under `strace` and returns how it has ended.
  private func trace(_ options: [String], save numbers: ClosedRange<Int>) async throws
    -> (code: Int32?, output: String)
  {
    let program = try Program.betweenPipes(
      "/usr/bin/env",
      ["strace", "-f", "-y", "-s", "8", "-o", folder.path + "/trace"] + options
        + [Program.url(of: "StorageProbe").path(percentEncoded: false), path, "save"]
        + ["\(numbers.lowerBound)", "\(numbers.upperBound)"])
    let code = await program.exitCode()
    _ = await program.output.end()
    return (code, program.output.text)
  }

  /// The calls that concern the folder of the program, in the order of the kernel.
  private func calls() throws -> [String] {
    try String(contentsOfFile: folder.path + "/trace", encoding: .utf8).split(separator: "\n")
      .map { String($0.drop { $0.isNumber }.drop { $0 == " " }) }
  }

  @Test("P3 the kernel sees write, sync, rename and sync of the folder before a flush returns")
  func order() async throws {
    let (code, _) = try await trace(
      ["-e", "trace=openat,write,fsync,rename,renameat,renameat2"], save: 1...2)
    #expect(code == 0)
    let calls = try calls()
    let flushes = calls.indices.filter { calls[$0].contains("\"flushed ") }
    #expect(flushes.count == 2)
    var start = 0
    for flush in flushes {
      let save = calls[start..<flush]
      let rename = try #require(save.lastIndex { $0.hasPrefix("rename") })
      let written = try #require(save.lastIndex { $0.hasPrefix("write(") && $0.contains(".new-") })
      let synced = try #require(save.lastIndex { $0.hasPrefix("fsync(") && $0.contains(".new-") })
      let folder = try #require(
        save.lastIndex { $0.hasPrefix("fsync(") && $0.contains("\(path)>") })
      #expect(written < synced && synced < rename && rename < folder)
      start = flush + 1
    }
    // Each folder around the file, before the first acknowledgement.
    for folder in ["/", folder.path, folder.path + "/a", path] {
      #expect(
        calls[..<flushes[0]].contains { $0.hasPrefix("fsync(") && $0.contains("<\(folder)>") },
        "\(folder) was not synced.")
    }
    // A child process must not inherit the lock or a file.
    for call in calls where call.hasPrefix("openat(") && call.contains("\"\(path)/probe") {
      #expect(call.contains("O_CLOEXEC"), "\(call)")
    }
  }

  @Test(
    "P3 a call that a signal interrupts is made again",
    arguments: ["fsync", "rename", "flock"])
  func interrupted(call: String) async throws {
    for number in 1...2 {
      let (code, output) = try await trace(
        ["-e", "trace=\(call)", "-e", "inject=\(call):error=EINTR:when=\(number)"], save: 1...2)
      #expect(code == 0 && ProbedDraft.newest(in: output) == 2, "\(call) \(number): \(output)")
      #expect(try ProbedDraft.stored(in: path) == 2)
      try FileManager.default.removeItem(atPath: folder.path + "/a")
    }
  }

  @Test("P3 a sync that fails is no flush that returns", arguments: ["", "/", "/a", "/a/b"])
  func failedSync(of folder: String) async throws {
    // Of one of the folders that hold the name, or of anything.
    let place = folder == "" ? [] : ["-P", folder == "/" ? folder : self.folder.path + folder]
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let (code, output) = try await trace(
      place + ["-e", "trace=fsync", "-e", "inject=fsync:error=EIO"], save: 1...2)
    #expect(code != 0)
    #expect(ProbedDraft.newest(in: output) == 0)
  }

  @Test(
    "P3 P8 a call that fails, or before which the process is killed, leaves what was flushed",
    arguments: ["fsync", "write", "rename", "flock", "mkdir", "unlink"],
    ["error=EIO", "signal=KILL"])
  func faults(call: String, fault: String) async throws {
    // A write that fails may be one with which the runtime wakes a thread. `shortWrite` has those.
    if call == "write", fault != "signal=KILL" { return }
    var last = 0
    for number in 1...(call == "fsync" || call == "write" ? 6 : 2) {
      let (_, output) = try await trace(
        ["-e", "trace=\(call)", "-e", "inject=\(call):\(fault):when=\(number)"],
        save: last + 1...last + 3)
      let found = try ProbedDraft.stored(in: path)
      #expect(found >= max(last, ProbedDraft.newest(in: output)), "\(call) \(number)")
      #expect(found <= last + 3)
      last = found
    }
  }

  @Test("P3 a write that the kernel cuts short is no flush that returns", arguments: 0...3)
  func shortWrite(blocks: Int) async throws {
    // The kernel writes what the limit allows, and refuses the rest.
    let program = try Program.betweenPipes(
      "/bin/sh",
      [
        "-c", "ulimit -f \(blocks); trap '' XFSZ; exec \"$0\" \"$@\"",
        Program.url(of: "StorageProbe").path(percentEncoded: false), path, "save", "1", "1",
      ])
    _ = await program.exitCode()
    _ = await program.output.end()
    // The file has 1,061 bytes.
    #expect(ProbedDraft.newest(in: program.output.text) == (blocks < 3 ? 0 : 1))
    #expect(try ProbedDraft.stored(in: path) == (blocks < 3 ? 0 : 1))
  }

  @Test(
    "P5 P9 what root saves in the folder of another user belongs to that user",
    .enabled(if: getuid() == 0))
  func owner() async throws {
    #expect(unsafe chown(folder.path, 4711, 4712) == 0)
    let storage = FileStorage(folder: URL(filePath: path))
    let lock = try storage.lock("note")
    try await storage.write(Data("no".utf8), to: "note")
    _ = try storage.keep(Data("x".utf8), beside: "note")
    for name in ["/a", "/a/b", "/a/b/note.json", "/a/b/note.json.lock", "/a/b/note.json.damaged-1"]
    {
      var status = stat()
      #expect(unsafe stat(folder.path + name, &status) == 0)
      #expect(status.st_uid == 4711 && status.st_gid == 4712, "\(name)")
    }
    // A file keeps its owner in whatever folder it is.
    #expect(unsafe chown(path, 0, 0) == 0)
    try await storage.write(Data("no".utf8), to: "note")
    var status = stat()
    #expect(unsafe stat(path + "/note.json", &status) == 0 && status.st_uid == 4711)
    withExtendedLifetime(lock) {}
  }
}

/// Whether programs can be traced here.
private enum Tracing {
  /// Set where the tests must run, as in CI.
  static let isRequired = ProcessInfo.processInfo.environment["SIGNALBOX_STRACE"] == "required"

  static let isPossible: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["strace", "-o", "/dev/null", "true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()
}
#endif
