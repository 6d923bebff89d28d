import ExampleTesting
import Foundation
import Signalbox
import SignalboxSources
import Testing

#if os(Linux)
@Suite(.timeLimit(.minutes(60))) @MainActor struct FileLinksTests {
  private let folder: TemporaryFolder
  private let log = SourceLog<FileChange>()
  /// Two folders, each with a file that is named "file".
  private let (first, second): (URL, URL)

  init() throws {
    folder = try TemporaryFolder()
    (first, second) = (folder.url.appending(path: "1"), folder.url.appending(path: "2"))
    for version in [first, second] {
      try version.makeFolder()
      try version.appending(path: "file").write("x")
    }
  }

  private func link(_ name: String, to destination: String) throws -> URL {
    let link = folder.url.appending(path: name)
    try link.replace(withLinkTo: destination)
    return link
  }

  /// Does what is told, and returns when it was told.
  ///
  /// One change may be told more than once, as when other tests use up the watches of the user (E6).
  private func tells(_ action: () throws -> Void) async throws {
    let count = log.entries.count
    try action()
    await log.reach(count + 1)
  }

  @Test("E6 through a symbolic link, writes to its file and new destinations are told")
  func links() async throws {
    let current = try link("current", to: "1")
    let settings = try link("settings", to: "current/file")
    let subscription = log.record(Signal.changes(ofFile: settings))
    try await tells { try first.appending(path: "file").replace(with: "yy") }
    try await tells { try current.replace(withLinkTo: "2") }
    try await tells { try second.appending(path: "file").replace(with: "zz") }
    try first.appending(path: "file").write("unseen")
    try await tells { try settings.replace(withLinkTo: "2/file") }
    try second.appending(path: "file").write("seen")
    await log.reach(5)
    #expect(Set(log.entries) == [.changed])
    try settings.remove()
    await log.until { $0.last == .removed }
    try second.appending(path: "file").write("unseen")
    try settings.replace(withLinkTo: "1/file")
    await log.until { $0.last == .created }
    #expect(log.entries.suffix(2) == [.removed, .created])
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 a link may lead to a name that is not UTF-8")
  func latinName() async throws {
    let link = folder.url.appending(path: "link")
    let latin = "caf".utf8.map { CChar($0) } + [CChar(bitPattern: 0xE9), 0]
    #expect(unsafe symlink(latin, link.path) == 0)
    let subscription = log.record(Signal.changes(ofFile: link))
    try await tells { try link.write("x") }
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 a link on the path may lead to another folder, and through further links")
  func linkedFolder() async throws {
    let inner = try link("1/live", to: "../1")
    let current = try link("current", to: "1/live/../1/live")
    let subscription = log.record(
      Signal.changes(ofFile: current.appending(path: "file")))
    try await tells { try first.appending(path: "file").replace(with: "yy") }
    try await tells { try inner.replace(withLinkTo: "../2") }
    try await tells { try second.appending(path: "file").replace(with: "zz") }
    try await tells { try current.replace(withLinkTo: first.path) }
    try await tells { try first.appending(path: "file").replace(with: "zz") }
    #expect(Set(log.entries) == [.changed])
    try second.appending(path: "file").remove()
    try await tells { try first.appending(path: "file").replace(with: "yy") }
    #expect(Set(log.entries) == [.changed])
    try first.appending(path: "file").remove()
    await log.until { $0.last == .removed }
    #expect(log.entries.count { $0 != .changed } == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 two dots behind a link lead to the folder around what the link leads to")
  func foldersAround() async throws {
    for version in [first, second] { try version.appending(path: "inner").makeFolder() }
    let current = try link("current", to: "1/inner")
    let subscription = log.record(Signal.changes(ofFile: current.appending(path: "../file")))
    try await tells { try first.appending(path: "file").replace(with: "yy") }
    try await tells { try current.replace(withLinkTo: "2/inner") }
    try await tells { try second.appending(path: "file").replace(with: "zz") }
    #expect(Set(log.entries) == [.changed])
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 200 atomic swaps of a folder are told")
  func swaps() async throws {
    let current = try link("current", to: "1")
    let subscription = log.record(
      Signal.changes(ofFile: current.appending(path: "file")))
    for number in 1...200 {
      try await tells { try current.replace(withLinkTo: number.isMultiple(of: 2) ? "1" : "2") }
    }
    #expect(Set(log.entries) == [.changed])
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 the file behind a link may go and come back, in any folder and from the beginning")
  func target() async throws {
    for destination in ["prod", "1/prod", "later/prod"] {
      let settings = try link("settings", to: destination)
      let target = folder.url.appending(path: destination)
      let subscription = log.record(Signal.changes(ofFile: settings))
      for _ in 1...3 {
        try await tells {
          try target.deletingLastPathComponent().makeFolder()
          try target.replace(with: "one")
        }
        try await tells { try target.replace(with: "two") }
        try await tells { try target.replace(with: "three") }
        try await tells { try target.remove() }
      }
      #expect(Set(log.entries) == [.changed])
      subscription.cancel()
    }
  }

  @Test("E6 a file behind a link may become a link, which is followed")
  func targetBecomesLink() async throws {
    let settings = try link("settings", to: "1/file")
    let subscription = log.record(Signal.changes(ofFile: settings))
    try await tells { try first.appending(path: "file").replace(withLinkTo: "../2/file") }
    try await tells { try second.appending(path: "file").replace(with: "zz") }
    #expect(Set(log.entries) == [.changed])
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 a link to a folder on its own path is gone with the folder, and comes back with it")
  func folderOnOwnPath() async throws {
    let inner = try link("1/inner", to: "../1")
    let subscription = log.record(Signal.changes(ofFile: inner))
    let other = folder.url.appending(path: "other")
    try first.move(to: other)
    await log.until { $0.last == .removed }
    try other.move(to: first)
    await log.until { $0.last == .created }
    #expect(log.entries.filter { $0 != .changed } == [.removed, .created])
    withExtendedLifetime(subscription) {}
  }

  @Test("E6 links that lead to themselves are files that never change")
  func circle() async throws {
    let circle = try link("circle", to: "circle")
    let subscription = log.record(Signal.changes(ofFile: circle))
    let inner = log.record(Signal.changes(ofFile: circle.appending(path: "file")))
    try circle.remove()
    await log.reach(1)
    #expect(log.entries == [.removed])
    withExtendedLifetime((subscription, inner)) {}
  }
}
#endif
