import Foundation
import Signalbox
import SignalboxSources
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Not parallel, because the tests count the descriptors of the process.
@Suite(.serialized, .timeLimit(.minutes(10))) @MainActor struct FileChangesTests {
  private let folder: TemporaryFolder
  private let file: URL
  private let log = SourceLog<FileChange>()

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.appending(path: "settings")
    try "one".write(to: file, atomically: false, encoding: .utf8)
  }

  private func write(_ text: String, to url: URL? = nil) throws {
    try text.write(to: url ?? file, atomically: false, encoding: .utf8)
  }

  /// Moves a new file to the place of another one, as many editors do.
  private func replace(_ url: URL, with text: String) throws {
    let beside = url.deletingLastPathComponent().appending(path: ".beside")
    try write(text, to: beside)
    try rename(beside, to: url)
  }

  /// Moves a file to the place of another one, which `FileManager` does not do in one step.
  private func rename(_ url: URL, to other: URL) throws {
    let code = unsafe systemRename(url.path, other.path)
    try #require(code == 0)
  }

  private func remove(_ url: URL) throws { try FileManager.default.removeItem(at: url) }

  private func move(_ url: URL, to other: URL) throws {
    try FileManager.default.moveItem(at: url, to: other)
  }

  /// The changes without repetitions of `.changed`, because a write may be told more than once.
  private var changes: [FileChange] {
    log.entries.reduce(into: []) { if $1 != .changed || $0.last != .changed { $0.append($1) } }
  }

  private func reach(_ expected: [FileChange]) async {
    await log.until { _ in self.changes.count >= expected.count }
    #expect(changes == expected)
  }

  @Test("E6 1,000 replacements by rename are told")
  func replacements() async throws {
    let subscription = log.record(Signal.changes(ofFile: file))
    for number in 1...1_000 { try replace(file, with: "\(number)") }
    try remove(file)
    await log.until { $0.last == .removed }
    #if os(Linux)
    #expect(log.entries.dropLast() == ArraySlice(repeatElement(.changed, count: 1_000)))
    #endif
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 a file may be written, truncated, removed and made again")
  func life() async throws {
    let subscription = log.record(Signal.changes(ofFile: file))
    try write("two")
    await reach([.changed])
    try remove(file)
    await reach([.changed, .removed])
    try write("three")
    await log.until { $0.suffix(2) == [.created, .changed] }
    let count = log.entries.count
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 0)
    await log.reach(count + 1)
    #expect(log.entries.last == .changed)
    try remove(file)
    await log.until { $0.last == .removed }
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 a file that other code moves away and back, with a backup, as some editors do")
  func backup() async throws {
    let subscription = log.record(Signal.changes(ofFile: file))
    try move(file, to: folder.url.appending(path: "settings~"))
    try write("two")
    try remove(folder.url.appending(path: "settings~"))
    try replace(file, with: "three")
    try remove(file)
    await log.until { $0.count { $0 == .removed } == 2 }
    #expect(changes == [.removed, .created, .changed, .removed])
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 other files of the folder are not told")
  func neighbours() async throws {
    let subscription = log.record(Signal.changes(ofFile: file))
    try write("x", to: folder.url.appending(path: "other"))
    try write("x", to: folder.url.appending(path: "settings.bak"))
    try remove(file)
    await reach([.removed])
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 a folder on the path may go away, come back, and be made in several steps")
  func folders() async throws {
    let outer = folder.url.appending(path: "outer")
    let inner = outer.appending(path: "inner")
    let file = inner.appending(path: "file")
    let manager = FileManager.default
    let subscription = log.record(Signal.changes(ofFile: file))
    try manager.createDirectory(at: outer, withIntermediateDirectories: true)
    try manager.createDirectory(at: inner, withIntermediateDirectories: true)
    try write("one", to: file)
    // Whether the write is told beside the creation depends on when the watch moves inward.
    await log.until { $0.contains(.created) }
    let away = folder.url.appending(path: "away")
    try move(outer, to: away)
    await log.until { $0.last == .removed }
    try write("unseen", to: away.appending(path: "inner/file"))
    try move(away, to: outer)
    await log.until { $0.last == .created }
    try replace(file, with: "two")
    await log.until { $0.last == .changed }
    try remove(outer)
    await log.until { $0.last == .removed }
    for _ in 1...100 {
      try manager.createDirectory(at: inner, withIntermediateDirectories: true)
      try write("three", to: file)
      await log.until { $0.last != .removed }
      try remove(outer)
      await log.until { $0.last == .removed }
    }
    withExtendedLifetime(subscription) {}
  }

  #if os(Linux)
  @Test("E6 through a symbolic link, writes to its file and new destinations are told")
  func links() async throws {
    let manager = FileManager.default
    let (first, second) = (folder.url.appending(path: "1"), folder.url.appending(path: "2"))
    for version in [first, second] {
      try manager.createDirectory(at: version, withIntermediateDirectories: true)
      try write("x", to: version.appending(path: "file"))
    }
    let (current, link) = (
      folder.url.appending(path: "current"), folder.url.appending(path: "link")
    )
    try manager.createSymbolicLink(atPath: current.path, withDestinationPath: "1")
    try manager.createSymbolicLink(atPath: link.path, withDestinationPath: "current/file")
    let subscription = log.record(Signal.changes(ofFile: link))
    try write("yy", to: first.appending(path: "file"))
    await reach([.changed])
    let count = log.entries.count
    try manager.createSymbolicLink(
      atPath: folder.url.appending(path: "next").path, withDestinationPath: "2")
    try rename(folder.url.appending(path: "next"), to: current)
    await log.reach(count + 1)
    let next = log.entries.count
    try write("zz", to: second.appending(path: "file"))
    await log.reach(next + 1)
    #expect(Set(log.entries) == [.changed])
    withExtendedLifetime(subscription) {}
  }
  #endif

  @Test("E4 watches let go of their descriptors, and all subscribers are told")
  func descriptors() async throws {
    let before = Descriptors.count
    for _ in 1...100 {
      let subscription = Signal.changes(ofFile: file).sink { _ in }
      subscription.cancel()
    }
    #expect(await Descriptors.fall(to: before))
    let signal = Signal.changes(ofFile: file)
    let logs = (1...50).map { _ in SourceLog<FileChange>() }
    let subscriptions = logs.map { $0.record(signal) }
    try remove(file)
    for log in logs { await log.reach(1) }
    #expect(logs.allSatisfy { $0.entries == [.removed] })
    for subscription in subscriptions { subscription.cancel() }
    #expect(await Descriptors.fall(to: before))
  }

  @Test("E6 more watches than the system allows still tell")
  func tooMany() async throws {
    let logs = (1...200).map { _ in SourceLog<FileChange>() }
    let subscriptions = logs.map { $0.record(Signal.changes(ofFile: file)) }
    try remove(file)
    for log in logs { await log.until { $0.last == .removed } }
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test("E6 a URL that is not a file URL traps with a message")
  func notAFile() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @MainActor in
      guard let url = URL(string: "https://example.org") else { return }
      _ = Signal.changes(ofFile: url)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("only files can be watched."))
  }
}

// The tests have a method with the name of this system function, which would hide it.
@unsafe private func systemRename(
  _ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>
) -> Int32 {
  unsafe rename(old, new)
}
