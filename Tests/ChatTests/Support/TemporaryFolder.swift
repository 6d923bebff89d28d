import Foundation

/// A folder that goes when the test does.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory
      .appending(path: "chat-tests-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The contents of the only draft in it.
  var draft: String? {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return files.first { $0.hasSuffix(".txt") }
      .flatMap { FileManager.default.contents(atPath: "\(path)/\($0)") }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
