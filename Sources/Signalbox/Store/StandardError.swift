import Foundation

/// Prints messages that no recorder or subscriber receives.
enum StandardError {
  static func print(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
