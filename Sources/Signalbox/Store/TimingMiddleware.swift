/// Reports how long each action took and how it ended.
///
///     let timing = TimingMiddleware<ChatState, ChatAction> { action, duration, outcome in
///       metrics.record("\(action)", duration)
///     }
///     let store = Store(state: ChatState(), interactor: ChatInteractor(), middleware: timing)
///
/// The time includes the interactor and the middleware that was passed to the store after this one.
public struct TimingMiddleware<State, Action>: Middleware {
  private let clock: any Clock<Duration>
  private let report: @MainActor (Action, Duration, ActionOutcome) -> Void

  /// Makes a middleware that measures actions.
  ///
  /// - Parameters:
  ///   - clock: the clock that measures the actions.
  ///   - report: called when the body of an action has returned. The body of a cancelled action may
  ///     return long after the action has ended. The middleware keeps the closure as long as the
  ///     store exists.
  public init(
    clock: any Clock<Duration> = ContinuousClock(),
    report: @escaping @MainActor (Action, Duration, ActionOutcome) -> Void
  ) {
    self.clock = clock
    self.report = report
  }

  /// Passes the action on and reports it.
  public func onAction(
    _ action: Action, store: MutatingStore<State, Action>,
    next: @MainActor (Action) async throws -> Void
  ) async throws {
    let age = stopwatch(clock)
    do {
      try await next(action)
      report(action, age(), store.isCurrent ? .finished : .cancelled)
    } catch {
      report(action, age(), store.isCurrent ? .failed(error) : .cancelled)
      throw error
    }
  }

  private func stopwatch<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}

/// How an action ended.
public enum ActionOutcome {
  /// The action returned.
  case finished
  /// The action was cancelled or superseded, whether its body then returned or threw.
  case cancelled
  /// The action threw while it was current.
  case failed(any Error)
}
