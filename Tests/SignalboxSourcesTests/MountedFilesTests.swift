import ExampleTesting
import Foundation
import Signalbox
import SignalboxSources
import Testing

#if os(Linux)
/// A mount makes each process in its namespace look again at all files that it watches. So these tests
/// run alone, in a namespace of their own:
///
///     SIGNALBOX_MOUNTS=1 unshare --mount swift test --skip-build --filter MountedFilesTests
@Suite(
  .serialized, .timeLimit(.minutes(60)),
  .enabled(if: ProcessInfo.processInfo.environment["SIGNALBOX_MOUNTS"] != nil))
@MainActor struct MountedFilesTests {
  private let folder: TemporaryFolder
  private let log = SourceLog<FileChange>()

  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  private static func run(_ script: String) -> Bool {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", script]
    try? shell.run()
    shell.waitUntilExit()
    return shell.terminationStatus == 0
  }

  @Test("E6 what is mounted over a file or its folder is told, and writes to it")
  func mounts() async throws {
    let (inner, host) = (folder.url.appending(path: "inner"), folder.url.appending(path: "host"))
    let file = inner.appending(path: "file")
    try inner.makeFolder()
    for file in [file, host] { try file.write("one") }
    defer { Self.run("umount '\(inner.path)' '\(file.path)' 2>/dev/null") }
    let subscription = log.record(Signal.changes(ofFile: file))
    #expect(Self.run("mount --bind '\(host.path)' '\(file.path)'"))
    await log.reach(1)
    let handle = try FileHandle(forWritingTo: host)
    try handle.write(contentsOf: [1])
    await log.reach(2)
    #expect(Self.run("mount -t tmpfs tmpfs '\(inner.path)'"))
    await log.until { $0.last == .removed }
    #expect(Set(log.entries.dropLast()) == [.changed])
    try #require(FileManager.default.createFile(atPath: file.path, contents: nil))
    await log.until { $0.last == .created }
    #expect(Self.run("umount '\(inner.path)'"))
    await log.until { $0.last == .changed }
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 a mount elsewhere does not tell what events tell that are still to be read")
  func mountElsewhere() async throws {
    let file = folder.url.appending(path: "watched")
    let elsewhere = folder.url.appending(path: "elsewhere")
    try file.write("one")
    try elsewhere.makeFolder()
    let changes = Emitter<FileChange>()
    let subscription = log.record(changes.map { $0 })
    let isMounted = LockedValue(false)
    let watch = FileWatch(
      file.path,
      walk: { path in
        if isMounted.withLock({ $0 }) {
          isMounted.withLock { $0 = false }
          try? file.remove()
          try? file.write("two")
        }
        return PathWalk(path)
      },
      { changes.post($0) })
    isMounted.withLock { $0 = true }
    defer { Self.run("umount '\(elsewhere.path)'") }
    #expect(Self.run("mount -t tmpfs tmpfs '\(elsewhere.path)'"))
    await log.reach(3)
    #expect(log.entries == [.removed, .created, .changed])
    watch.end()
    withExtendedLifetime(subscription) {}
  }
}
#endif
