/// Logs a line for each action, with its name, how it ended and how long it took.
///
///     let logging = LoggingMiddleware<ChatState, ChatAction> { print($0) }
///     let store = Store(state: ChatState(), interactor: ChatInteractor(), middleware: logging)
///     // load finished after 120.4 ms
///     // send("hello") failed after 3.1 ms: offline
///     // search("si") cancelled after 80.0 ms
///
/// `Store.events` also reports what was dropped and what superseded what. Redacted values do not
/// appear in the lines (D4).
public struct LoggingMiddleware<State, Action>: Middleware {
  private let timing: TimingMiddleware<State, Action>

  /// Makes a middleware that logs actions.
  ///
  /// - Parameters:
  ///   - clock: the clock that measures the actions.
  ///   - log: receives each line, without a line break, when the body of an action has returned.
  ///     The middleware keeps it as long as the store exists.
  public init(
    clock: any Clock<Duration> = ContinuousClock(), log: @escaping @MainActor (String) -> Void
  ) {
    timing = TimingMiddleware(clock: clock) { action, duration, outcome in
      let time = duration.milliseconds
      let name = Dump.description(of: Redaction.shown(message: action))
      switch outcome {
      case .finished: log("\(name) finished after \(time)")
      case .cancelled: log("\(name) cancelled after \(time)")
      case .failed(let error): log("\(name) failed after \(time): \(Dump.description(of: error))")
      }
    }
  }

  /// Passes the action on and logs it.
  public func onAction(
    _ action: Action, store: MutatingStore<State, Action>,
    next: @MainActor (Action) async throws -> Void
  ) async throws {
    try await timing.onAction(action, store: store, next: next)
  }
}
