import ExampleTesting
import Foundation
import Signalbox
import SignalboxSources
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

#if os(Linux)
/// What many watched files share, and what the names on their paths do not show.
///
/// They belong to the other tests of files, which use up the watches of the user for a moment.
extension FileChangesTests {
  private nonisolated static var instances: Int {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.count { descriptor in
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(descriptor)")
      return target?.contains("inotify") == true
    }
  }

  @Test("E6 5,000 watched files use one instance of the user's, and each is told")
  func manyFiles() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let folder = try TemporaryFolder()
      let files = (1...5_000).map { folder.url.appending(path: "\($0)") }
      let log = SourceLog<FileChange>()
      let subscriptions = files.map { log.record(Signal.changes(ofFile: $0)) }
      #expect(FileChangesTests.instances == 1)
      for file in files {
        try #require(FileManager.default.createFile(atPath: file.path, contents: nil))
      }
      await log.reach(5_000)
      #expect(log.entries == Array(repeating: .created, count: 5_000))
      let before = Descriptors.count
      for subscription in subscriptions { subscription.cancel() }
      #expect(await Descriptors.reach { FileChangesTests.instances == 0 })
      #expect(Descriptors.count < before)
    }
  }

  @Test("E6 when one of two watches of a file or a folder goes, the other one is still told")
  func sharedWatch() async throws {
    let file = folder.url.appending(path: "file")
    try file.write("one")
    let subscription = log.record(Signal.changes(ofFile: file))
    let same = Signal.changes(ofFile: file).sink { _ in }
    let neighbour = Signal.changes(ofFile: folder.url.appending(path: "other")).sink { _ in }
    same.cancel()
    neighbour.cancel()
    // A new watch begins after the others have ended.
    Signal.changes(ofFile: URL(filePath: "/other")).sink { _ in }.cancel()
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: [1])
    await log.reach(1)
    try file.remove()
    await log.until { $0.last == .removed }
    #expect(Set(log.entries.dropLast()) == [.changed])
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 a write through another name of the file is told, also after a replacement")
  func hardLink() async throws {
    let file = folder.url.appending(path: "file")
    let other = folder.url.appending(path: "elsewhere/other")
    try other.deletingLastPathComponent().makeFolder()
    try file.write("one")
    let subscription = log.record(Signal.changes(ofFile: file))
    for round in 1...2 {
      try FileManager.default.linkItem(at: file, to: other)
      let handle = try FileHandle(forWritingTo: other)
      try handle.write(contentsOf: [1])
      await log.reach(2 * round - 1)
      try file.replace(with: "two")
      await log.reach(2 * round)
      try other.remove()
    }
    #expect(Set(log.entries) == [.changed])
    withExtendedLifetime(subscription) {}
  }

  /// In a process of its own, because all watches of a process lose events together.
  @Test("E4 E6 if the system loses events, the file is told to have changed or gone")
  func overflow() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let folder = try TemporaryFolder()
      let limit = try String(
        contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
      let count = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
      let files = ["kept", "removed", "first"].map { folder.url.appending(path: $0) }
      for file in files { try file.write("one") }
      let (kept, removed) = (SourceLog<FileChange>(), SourceLog<FileChange>())
      let subscriptions = [
        kept.record(Signal.changes(ofFile: files[0])),
        removed.record(Signal.changes(ofFile: files[1])),
      ]
      let (isHeld, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      // The events wait in the system while a watch is being told of one.
      let holding = FileWatch(files[2].path) { change in
        guard change == .removed else { return }
        isHeld.signal()
        go.wait()
      }
      try files[2].remove()
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          isHeld.wait()
          continuation.resume()
        }
      }
      let names = ["a", "b"].map { folder.path + "/" + $0 }
      try URL(filePath: names[0]).write("one")
      // Each move is two events.
      for _ in 0...(count / 4) {
        _ = unsafe (rename(names[0], names[1]), rename(names[1], names[0]))
      }
      try files[0].write("two")
      try files[1].remove()
      go.signal()
      await kept.reach(1)
      await removed.reach(1)
      #expect(kept.entries == [.changed] && removed.entries == [.removed])
      holding.end()
      withExtendedLifetime(subscriptions) {}
    }
  }

  @Test("E6 a path that changes while its folders begin to be watched is followed")
  func changeDuringWalk() async throws {
    let current = folder.url.appending(path: "current")
    for name in ["1", "2"] {
      try folder.url.appending(path: name).makeFolder()
      try folder.url.appending(path: name + "/file").write("one")
    }
    try current.replace(withLinkTo: "1")
    let changes = Emitter<FileChange>()
    let subscription = log.record(changes.map { $0 })
    let walks = LockedValue(0)
    let watch = FileWatch(
      current.appending(path: "file").path,
      walk: { path in
        let walk = PathWalk(path)
        let count = walks.withLock { count in
          count += 1
          return count
        }
        if count == 1 { try? current.replace(withLinkTo: "2") }
        return walk
      },
      { changes.post($0) })
    try folder.url.appending(path: "2/file").replace(with: "two")
    await log.reach(1)
    #expect(Set(log.entries) == [.changed])
    watch.end()
    withExtendedLifetime(subscription) {}
  }
}
#endif
