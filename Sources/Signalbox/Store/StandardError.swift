import Foundation

/// Prints messages that no recorder or subscriber receives.
package enum StandardError {
  package static func print(_ line: String) {
    // Not `write(_:)`, which stops the program if standard error is closed or its disk is full.
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }
}
