import Foundation

/// Where a sentence goes that nobody else listens for.
enum StandardError {
  static func print(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
