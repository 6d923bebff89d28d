import Testing
import XCTest

/// Records failures at the source location of a test's call, in Swift Testing and in XCTest.
package struct CallSite: Sendable {
  package let fileID: StaticString
  package let filePath: StaticString
  package let line: UInt
  package let column: UInt

  /// Receives the failures of the current task instead of the test framework.
  ///
  /// An exploration sets it, because a failure belongs to an order. The kit's own tests set it,
  /// because an expected failure would be noise in a passing run.
  @TaskLocal package static var failureHandler: FailureHandler?

  /// Whether the test kit itself records an issue now.
  @TaskLocal static var isRecordingIssue = false

  /// The file and the line, as in `ChatTests.swift:12`.
  var description: String {
    "\("\(fileID)".split(separator: "/").last ?? ""):\(line)"
  }

  /// Records a failure of a test.
  ///
  /// - Parameter test: the test whose store or clock has failed. The call may come from a task or a
  ///   thread that does not belong to it.
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
