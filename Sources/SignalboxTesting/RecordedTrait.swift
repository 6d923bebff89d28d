import Signalbox
public import Testing

extension Trait where Self == IssueHandlingTrait {
  /// Lets each issue of a test leave the recording of the test, such as a failed `#expect` (R9).
  ///
  ///     @Suite(.recorded) @MainActor struct ChatTests { … }
  ///
  /// Swift Testing tells only traits about issues. Without this one, only a failure of the test kit
  /// leaves a recording. The recording has the place and the comments of an issue, not its values. It
  /// has no effect while `SIGNALBOX_RECORDINGS` is not set.
  public static var recorded: Self {
    .compactMapIssues { issue in
      if issue.isFailure, !CallSite.isRecordingIssue, let test = RunningTest.inSwiftTesting {
        let text = text(of: issue)
        MainQueue.run { TestScope.hasFailed(test, text) }
      }
      return issue
    }
  }

  /// The place and the comments of an issue, whose own description has values that may be redacted.
  private static func text(of issue: Issue) -> String {
    let place = issue.sourceLocation.map { " at \($0.fileName):\($0.line)" } ?? ""
    return (["An issue\(place)"] + issue.comments.map(\.rawValue)).joined(separator: "\n")
  }
}
