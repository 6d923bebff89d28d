extension Engine {
  /// Passes the error of an action, or of a run that the action made, to the interactor (A8).
  func handle(_ error: any Error, of action: Action?, in scope: Scope<State, Action>) {
    if let handler, let action {
      handler.onError(error, action: action, store: MutatingStore(scope))
    } else {
      reportUnhandled(error, of: action, in: scope)
    }
  }

  func reportUnhandled(_ error: any Error, of action: Action?, in scope: Scope<State, Action>) {
    if scope.report(.unhandled(error, action)) == nil {
      SystemLog.report(
        """
        \(linePrefix): \(name(action)) threw \(Dump.description(of: error)), which is not handled. \
        Add \(remedyForErrors).
        """)
    }
  }

  /// What the user must add so that an error of an action is handled.
  var remedyForErrors: String {
    performsItself ? "catch to the effect" : "onError to the interactor"
  }

  func reportEndlessWait(in scope: Scope<State, Action>) {
    let action = scope.origin
    if scope.report(.unhandled(EndlessWait(), action)) == nil {
      SystemLog.report("\(linePrefix): \(name(action)) \(EndlessWait())")
    }
  }

  /// The beginning of a line in the system log, as `Signalbox (left)` for a store named "left".
  var linePrefix: String {
    let prefix = log.name.map { "Signalbox (\($0))" } ?? "Signalbox"
    return log.fullPath.map { "\(prefix): \($0)" } ?? prefix
  }

  private func name(_ action: Action?) -> String {
    action.map { "The action \(Dump.description(of: Redaction.shown(message: $0)))" } ?? "A run"
  }
}
