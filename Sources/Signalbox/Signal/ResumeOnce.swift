/// Passes the first result to a caller that waits, even if the result comes before the wait.
@MainActor struct ResumeOnce<Output: Sendable, Failure: Error> {
  private enum State {
    case empty
    case waiting(CheckedContinuation<Output, Failure>)
    case early(Result<Output, Failure>)
    case resumed
  }

  private var state = State.empty

  /// Whether a result has come.
  var isDone: Bool {
    switch state {
    case .empty, .waiting: false
    case .early, .resumed: true
    }
  }

  /// Resumes the continuation with the result, now or when it comes.
  ///
  /// Only one caller may wait.
  mutating func wait(by continuation: CheckedContinuation<Output, Failure>) {
    switch state {
    case .empty: state = .waiting(continuation)
    case .early(let result):
      state = .resumed
      continuation.resume(with: result)
    case .waiting, .resumed:
      fatalError("A second caller waits for one result. Make a ResumeOnce for each caller.")
    }
  }

  /// - Returns: whether this was the first result. Later ones are ignored.
  @discardableResult
  mutating func resume(with result: Result<Output, Failure>) -> Bool {
    switch state {
    case .empty: state = .early(result)
    case .waiting(let continuation):
      state = .resumed
      continuation.resume(with: result)
    case .early, .resumed: return false
    }
    return true
  }
}
