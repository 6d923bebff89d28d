package import Foundation

/// A folder that is removed when its test ends.
package final class TemporaryFolder: Sendable {
  package let path: String

  package var url: URL { URL(filePath: path) }

  package init() throws {
    path = FileManager.default.temporaryDirectory
      .appending(path: "signalbox-tests-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
