/// What the current task runs for, across its suspensions and in its child tasks.
///
/// Ambient, because user code passes nothing on. Work of children and stores with events set it.
@MainActor enum TaskOrigin {
  @TaskLocal private static var ofTask: (any Caller)?
  /// Whether any task ever had an origin; if not, no task-local value is looked up.
  @safe @exclusivity(unchecked) private(set) static var isUsed = false

  /// What caused the code of the task; `nil` if it came from outside.
  static var cause: Propagation.Cause? { isUsed ? ofTask?.causeOfCalls : nil }

  static var caller: (any Caller)? { isUsed ? ofTask : nil }

  /// Runs a body whose tasks have an origin: a caller, which knows its cause, or a cause alone.
  static func with<Result>(
    _ cause: Propagation.Cause?, _ caller: (any Caller)?, _ body: () -> Result
  ) -> Result {
    isUsed = true
    // A single reference, because a task copies the value.
    return $ofTask.withValue(caller ?? CauseAlone(causeOfCalls: cause), operation: body)
  }

  /// Runs a body whose tasks have no origin, because they serve more than the code that runs now.
  static func without<Result>(_ body: () -> Result) -> Result {
    guard isUsed, ofTask != nil else { return body() }
    return $ofTask.withValue(nil, operation: body)
  }
}

extension TaskOrigin {
  /// Runs code that is notified of something, so its tasks keep the cause but act for no work.
  static func withoutCaller<Result>(_ body: () -> Result) -> Result {
    guard let caller, !(caller is CauseAlone) else { return body() }
    return caller.causeOfCalls.map { with($0, nil, body) } ?? without(body)
  }
}

/// The work on whose behalf other code is called, or the cause of other code.
@MainActor protocol Caller: AnyObject, Sendable {
  var causeOfCalls: Propagation.Cause? { get }
}

/// The origin of a task that keeps no work.
private final class CauseAlone: Caller {
  let causeOfCalls: Propagation.Cause?

  init(causeOfCalls: Propagation.Cause?) { self.causeOfCalls = causeOfCalls }
}
