/// The scope and the work of one action.
final class ActionScope<State, Action>: Scope<State, Action> {
  let action: Action

  required init(
    _ action: Action, name: WorkName?, parent: Work?, in engine: Engine<State, Action>
  ) {
    self.action = action
    super.init(name: name, parent: parent, in: engine)
  }

  override var origin: Action? { action }
  override var writerName: String { "an action" }
  override var description: String { Dump.description(of: Redaction.shown(message: action)) }

  /// Reports that the action was dispatched, and makes that event the cause of all that it does.
  func begin(cause: Int?) {
    self.cause = cause
    reportBeginning(.dispatched(action), isCause: true)
  }

  override func makeTask() -> Task<Void, any Error>? {
    began != nil || mayHaveCaller ? makeTaskWithOrigin() : engine.handler?.start(self)
  }

  // A function of its own, so that other dispatches do not look up the metadata of the result.
  @inline(never) private func makeTaskWithOrigin() -> Task<Void, any Error>? {
    causing { engine.handler?.start(self) }
  }

  override func run() async {
    do {
      try await engine.handler?.onAction(action, store: MutatingStore(self))
      hasFinished()
    } catch {
      hasThrown(error)
    }
  }

  override func wasCancelled(_ reason: CancelReason) -> Int? {
    detach()
    return reportCancelled(.cancelled(action), reason)
  }

  override func hasBeenCancelled(_ event: Int?) {
    // The closure captures the action. Capturing this scope would keep its copy of the state.
    let scope = AftermathScope(of: self, cause: event) { [action] in
      "onCancel of \(Dump.description(of: Redaction.shown(message: action)))"
    }
    scope.leaving {
      scope.causing { engine.handler?.onCancel(action, store: MutatingStore(scope)) }
    }
  }

  override func leaderHasEnded(_ result: Result<Void, any Error>) {
    switch result {
    case .success: reportFinished()
    case .failure(let error): reportFailed(error)
    }
  }

  override func hasEnded(_ result: Result<Void, any Error>) -> Int? {
    if case .success = result { reportFinished() } else { nil }
  }

  override func handle(_ error: any Error) { engine.handle(error, of: action, in: self) }

  @discardableResult override func reportFailed(_ error: any Error) -> Int? {
    let failed = report(.failed(action, error))
    if let failed { cause = failed }
    return failed
  }

  @discardableResult private func reportFinished() -> Int? {
    began.flatMap { report(.finished(action, $0.age)) }
  }
}
