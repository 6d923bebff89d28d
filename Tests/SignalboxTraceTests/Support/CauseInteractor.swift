import Signalbox

/// The interactor of the store.
struct CauseInteractor: Interactor {
  unowned let program: CauseProgram

  func onAction(
    _ action: CauseAction, store: MutatingStore<CauseState, CauseAction>
  ) async throws {
    await program.perform(action) { program.act($0, in: store) }
  }

  func subscription(
    for hook: CauseHook, store: MutatingStore<CauseState, CauseAction>
  ) -> Subscription { program.connect(hook, store) }

  func children(of store: MutatingStore<CauseState, CauseAction>) -> Children<CauseState> {
    Each(\.rows) { _ in CauseRowKeeper(program: program) }
    Child(\.extra) { CauseRowKeeper(program: program) }
  }
}

/// The interactor of a child.
struct CauseRowKeeper: Interactor {
  unowned let program: CauseProgram

  func onAction(
    _ action: CauseAction, store: MutatingStore<CauseRow, CauseAction>
  ) async throws {
    await program.perform(action) { program.act($0, in: store) }
  }

  func subscription(
    for hook: CauseRowHook, store: MutatingStore<CauseRow, CauseAction>
  ) -> Subscription { program.connect(hook, store) }
}
