import ExampleTesting
import Foundation
import Signalbox
import SignalboxSources
import Testing

/// Not parallel, because a user may have only so many watches.
@Suite(.serialized, .timeLimit(.minutes(60))) @MainActor struct FileChangesTests {
  let folder: TemporaryFolder
  private let file: URL
  let log = SourceLog<FileChange>()

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.appending(path: "settings")
    try file.write("one")
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
    // Files with contents would wait for the disk.
    for _ in 1...1_000 { try file.replace(with: "") }
    try file.remove()
    await log.until { $0.last == .removed }
    #if os(Linux)
    // A mount anywhere on the system makes it look again, which may be told once more.
    #expect(log.entries.count > 1_000)
    #expect(log.entries.dropLast().allSatisfy { $0 == .changed })
    #endif
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 a file may be written, truncated, removed and made again")
  func life() async throws {
    let subscription = log.record(Signal.changes(ofFile: file))
    try file.write("two")
    await reach([.changed])
    try file.remove()
    await reach([.changed, .removed])
    try file.write("three")
    await log.until { $0.suffix(2) == [.created, .changed] }
    let count = log.entries.count
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 0)
    await log.reach(count + 1)
    #expect(log.entries.last == .changed)
    try file.remove()
    await log.until { $0.last == .removed }
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 a file that other code moves away and back, with a backup, as some editors do")
  func backup() async throws {
    let subscription = log.record(Signal.changes(ofFile: file))
    try file.move(to: folder.url.appending(path: "settings~"))
    try file.write("two")
    try folder.url.appending(path: "settings~").remove()
    try file.replace(with: "three")
    try file.remove()
    await log.until { $0.count { $0 == .removed } == 2 }
    // As in `replacements`, another look may come first.
    #expect(changes.drop { $0 == .changed } == [.removed, .created, .changed, .removed])
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 other files of the folder are not told")
  func neighbours() async throws {
    let subscription = log.record(Signal.changes(ofFile: file))
    try folder.url.appending(path: "other").write("x")
    try folder.url.appending(path: "settings.bak").write("x")
    try file.remove()
    await reach([.removed])
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 a name may begin with a character that combines with the slash before it")
  func combiningName() async throws {
    let file = folder.url.appending(path: "\u{301}x")
    let subscription = log.record(Signal.changes(ofFile: file))
    try file.write("one")
    await log.until { $0.contains(.created) }
    try file.remove()
    await log.until { $0.last == .removed }
    withExtendedLifetime(subscription) {}
  }

  #if os(Linux)
  @Test("E6 names that only Unicode takes for the same are names of other files")
  func equivalentNames() async throws {
    let file = folder.url.appending(path: "caf\u{e9}")
    try file.write("one")
    let subscription = log.record(Signal.changes(ofFile: file))
    try folder.url.appending(path: "cafe\u{301}").write("other")
    try file.remove()
    await reach([.removed])
    withExtendedLifetime(subscription) {}
  }
  #endif

  @Test("E6 a folder on the path may go away, come back, and be made in several steps")
  func folders() async throws {
    let outer = folder.url.appending(path: "outer")
    let inner = outer.appending(path: "inner")
    let file = inner.appending(path: "file")
    let subscription = log.record(Signal.changes(ofFile: file))
    try outer.makeFolder()
    try inner.makeFolder()
    try file.write("one")
    // Whether the write is told beside the creation depends on when the watch moves inward.
    await log.until { $0.contains(.created) }
    let away = folder.url.appending(path: "away")
    try outer.move(to: away)
    await log.until { $0.last == .removed }
    try away.appending(path: "inner/file").write("unseen")
    try away.move(to: outer)
    await log.until { $0.last == .created }
    try file.replace(with: "two")
    await log.until { $0.last == .changed }
    try outer.remove()
    await log.until { $0.last == .removed }
    for _ in 1...100 {
      try inner.makeFolder()
      try file.write("three")
      await log.until { $0.last != .removed }
      try outer.remove()
      await log.until { $0.last == .removed }
    }
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 a folder that other code keeps open may be removed and made again")
  func openFolder() async throws {
    let inner = folder.url.appending(path: "inner")
    let file = inner.appending(path: "file")
    try inner.makeFolder()
    try file.write("old")
    let subscription = log.record(Signal.changes(ofFile: file))
    let handle = try FileHandle(forReadingFrom: inner)
    try inner.remove()
    await log.until { $0.last == .removed }
    try inner.makeFolder()
    try file.write("new")
    await log.until { $0.contains(.created) }
    #expect(log.entries.prefix(2) == [.removed, .created])
    withExtendedLifetime((subscription, handle)) {}
  }

  @Test("E4 watches let go of their descriptors, and all subscribers are told")
  func descriptors() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let folder = try TemporaryFolder()
      let file = folder.url.appending(path: "file")
      try file.write("text")
      let before = Descriptors.count
      for _ in 1...100 { Signal.changes(ofFile: file).sink { _ in }.cancel() }
      #expect(await Descriptors.fall(to: before))
      let signal = Signal.changes(ofFile: file)
      let logs = (1...50).map { _ in SourceLog<FileChange>() }
      let subscriptions = logs.map { $0.record(signal) }
      try file.remove()
      for log in logs { await log.reach(1) }
      #expect(logs.allSatisfy { $0.entries == [.removed] })
      for subscription in subscriptions { subscription.cancel() }
      #expect(await Descriptors.fall(to: before))
    }
  }

  @Test("E6 more watches than the system allows still tell")
  func tooMany() async {
    // A process of its own, because the watches of other tests would not get what they need.
    await #expect(processExitsWith: .success) { @MainActor in
      let folder = try TemporaryFolder()
      let file = folder.url.appending(path: "file")
      try file.write("text")
      Descriptors.limit(to: 64)
      let logs = (1...200).map { _ in SourceLog<FileChange>() }
      let subscriptions = logs.map { $0.record(Signal.changes(ofFile: file)) }
      try file.remove()
      for log in logs { await log.until { $0.last == .removed } }
      for subscription in subscriptions { subscription.cancel() }
    }
  }

  @Test(
    "E6 a URL that is not a file URL, or whose path is not UTF-8, traps with a message",
    arguments: ["https://example.org", "file:///tmp/%FF/settings"])
  func notAFile(address: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @MainActor [address = address as String] in
      guard let url = URL(string: address) else { return }
      _ = Signal.changes(ofFile: url)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("needs a file URL in UTF-8, such as URL(filePath:), not \(address)"))
  }
}
