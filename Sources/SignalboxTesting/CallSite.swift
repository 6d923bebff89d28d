import Testing
import XCTest

/// Records failures at the source location of a test's call, in Swift Testing and in XCTest.
package struct CallSite: Sendable {
  package let fileID: StaticString
  package let filePath: StaticString
  package let line: UInt
  package let column: UInt

  /// Receives failures instead of the test framework: those of an order of an exploration, and
  /// those that the kit's own tests expect.
  @TaskLocal package static var failureHandler: FailureHandler?

  /// Whether the test kit itself records an issue now.
  @TaskLocal static var isRecordingIssue = false

  /// The file and the line, as in `ChatTests.swift:12`.
  var description: String {
    "\("\(fileID)".split(separator: "/").last ?? ""):\(line)"
  }

  /// - Parameter test: the test that fails. The calling task or thread need not belong to it.
  @MainActor func fail(_ message: String, in test: RunningTest) {
    if ExploredScope.current == nil { TestScope.hasFailed(test, message) }
    if let failureHandler = Self.failureHandler { return failureHandler.handle(message, self) }
    switch (Test.current, test) {
    case (.some, _), (_, .swiftTesting): recordIssue(message)
    case (nil, .xcTest(let number)):
      XCTFail(message, file: filePath, line: line)
      // A store that was made in a detached task cannot tell which framework runs. XCTest has
      // started no test case if it is Swift Testing.
      if number == 0 { recordIssue(message) }
    }
  }

  private func recordIssue(_ message: String) {
    let location = SourceLocation(
      fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
    Self.$isRecordingIssue.withValue(true) {
      _ = Issue.record(Comment(rawValue: message), sourceLocation: location)
    }
  }
}
