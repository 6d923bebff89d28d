import ExampleTesting
import Foundation

extension TemporaryFolder {
  /// The contents of the only draft in the folder.
  var draft: String? {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return files.first { $0.hasSuffix(".txt") }
      .flatMap { FileManager.default.contents(atPath: "\(path)/\($0)") }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
