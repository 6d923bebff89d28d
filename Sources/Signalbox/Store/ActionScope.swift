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
  override var description: String { Dump.description(of: action) }

  /// Reports that the action was dispatched, and makes that event the cause of all that it does.
  func begin(cause: Int?) {
    self.cause = cause
    reportBeginning(.dispatched(action))
    self.cause = began?.event
  }

  override func makeTask() -> Task<Void, any Error>? { engine.handler?.start(self) }

  override func wasCancelled(_ reason: CancelReason) -> Int? {
    detach()
    return reportCancelled(.cancelled(action), reason)
  }

  override func hasBeenCancelled(_ event: Int?) {
    // The closure captures the action. Capturing this scope would keep its copy of the state.
    let scope = AftermathScope(of: self, cause: event) { [action] in
      "onCancel of \(Dump.description(of: action))"
    }
    engine.handler?.onCancel(action, store: MutatingStore(scope))
  }

  override func leaderHasEnded(_ outcome: Result<Void, any Error>) {
    switch outcome {
    case .success: reportFinished()
    case .failure(let error): report(.failed(action, error))
    }
  }

  /// Ends the action after the interactor has returned.
  func hasFinished() {
    hasReturned(.success(()), in: engine.book)
  }

  override func hasEnded(_ outcome: Result<Void, any Error>) {
    if began != nil, case .success = outcome { reportFinished() }
  }

  /// Ends the action after the interactor has thrown.
  func hasThrown(_ error: any Error) {
    guard !isOver else { return }
    if let failed = report(.failed(action, error)) { cause = failed }
    // A recorder of the event may have cancelled the action.
    if isCurrent {
      fail(in: engine.book) { engine.handle(error, of: action, in: self) }
    }
    hasReturned(.failure(error), in: engine.book)
  }

  private func reportFinished() {
    if let began { report(.finished(action, began.age)) }
  }
}
