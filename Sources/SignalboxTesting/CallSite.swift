import Testing
import XCTest

/// Records failures at the source location of a test's call, in Swift Testing and in XCTest.
package struct CallSite {
  package let fileID: StaticString
  package let filePath: StaticString
  package let line: UInt
  package let column: UInt

  /// Receives the failures of the current task instead of the test framework.
  ///
  /// The kit's own tests set it, because an expected failure would be noise in a passing run.
  @TaskLocal package static var failureHandler: (@MainActor (String, CallSite) -> Void)?

  @MainActor func fail(_ message: String) {
    if let failureHandler = Self.failureHandler {
      failureHandler(message, self)
    } else if Test.current != nil {
      let location = SourceLocation(
        fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
      Issue.record(Comment(rawValue: message), sourceLocation: location)
    } else {
      XCTFail(message, file: filePath, line: line)
    }
  }
}
