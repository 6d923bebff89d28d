import ExampleTesting
import Foundation
import SignalboxStorage
import Testing

/// Files as each released format has written them, which every later version must restore.
///
/// A change of the format adds a folder and changes none.
@MainActor struct FixtureTests {
  private struct Values: Equatable, Sendable {
    var bytes = Data(), date = Date.distantPast, decimal = Decimal(0), infinite = 0.0, number = 0.0
    var dictionary: [String: [Int]] = [:], none: Int? = 3, url: URL?
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures")

  /// A copy, because a restore makes a lock beside the file.
  private func copy(_ version: String) throws -> (folder: TemporaryFolder, storage: FileStorage) {
    let folder = try TemporaryFolder()
    let copy = URL(filePath: folder.path).appending(path: version)
    try FileManager.default.copyItem(at: Self.folder.appending(path: version), to: copy)
    return (folder, FileStorage(folder: copy))
  }

  @Test("P1 P6 a note of format 1 is restored", arguments: ["version1"])
  func note(version: String) throws {
    let (folder, storage) = try copy(version)
    let (outcome, note) = storage.restored()
    #expect(outcome == .migrated(from: 1))
    #expect(note == Note(draft: "dear \"all\" 🙂", recipients: ["ann", "bob"]))
    withExtendedLifetime(folder) {}
  }

  @Test("P1 P6 values of all kinds of format 1 are restored", arguments: ["version1"])
  func values(version: String) throws {
    let (folder, storage) = try copy(version)
    var values = Values()
    let saved = SavedState<Values>("values", in: storage)
      .property("bytes", \.bytes).property("date", \.date).property("decimal", \.decimal)
      .property("dictionary", \.dictionary).property("infinite", \.infinite)
      .property("none", \.none).property("number", \.number).property("url", \.url)
    #expect(saved.restore(into: &values) == .restored)
    let decimal = try #require(Decimal(string: "12345678901234567890.123456789"))
    #expect(
      values
        == Values(
          bytes: Data([0, 255]), date: Date(timeIntervalSinceReferenceDate: 0.1), decimal: decimal,
          infinite: -.infinity, number: 0.1, dictionary: ["": [1, 2]], none: nil,
          url: URL(string: "https://a.b/c?d")))
    withExtendedLifetime(folder) {}
  }
}
