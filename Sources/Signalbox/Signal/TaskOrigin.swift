/// What the current task runs for, across its suspensions and in its child tasks.
///
/// It is ambient because user code suspends, starts tasks, sends and calls closures, and passes
/// nothing on. Work of children sets it, and so do stores that make events.
@MainActor enum TaskOrigin {
  @TaskLocal private static var ofTask: (any Caller)?
  /// Whether any task has ever had an origin.
  ///
  /// It is usually `false`, and then nothing looks for a task-local value.
  @safe @exclusivity(unchecked) private(set) static var isUsed = false

  /// What caused the code of the task; `nil` if it came from outside.
  static var cause: Propagation.Cause? { isUsed ? ofTask?.causeOfCalls : nil }

  /// On whose behalf the code of the task calls other code.
  static var caller: (any Caller)? { isUsed ? ofTask : nil }

  /// Runs a body whose tasks have an origin.
  ///
  /// - Parameters:
  ///   - cause: what caused the body.
  ///   - caller: on whose behalf it calls other code, if there is such a caller, which then knows the
  ///     cause.
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
  /// Runs code that is notified of something, whose tasks do not act for the work that led to it.
  ///
  /// They keep its cause.
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
