import ExampleTesting
import Foundation

extension TemporaryFolder {
  /// The only draft in the folder; `nil` if there is none.
  var draft: String? {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return files.first { $0.hasSuffix(".json") }.flatMap { draft(in: $0) }
  }

  /// The draft in a file, without the lock that the chat may have.
  func draft(in file: String) -> String? {
    guard let bytes = FileManager.default.contents(atPath: "\(path)/\(file)"),
      let line = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let fields = try? JSONDecoder().decode([String: String].self, from: bytes[line...])
    else { return nil }
    return fields["draft"]
  }
}
