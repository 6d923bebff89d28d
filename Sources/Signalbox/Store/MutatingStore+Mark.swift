extension MutatingStore {
  /// Sets a property to true now, and to false when the action or the run ends, in whatever way (A13).
  ///
  ///     store.mark(\.isSaving)
  ///     try await service.save(store.draft)
  ///
  /// `defer { store.isSaving = false }` cannot do that: once an action is cancelled, nothing that it
  /// writes reaches the store, and the property stays true.
  ///
  /// While several pieces of work mark the same property it stays true until the last of them has
  /// ended. When `.latest` supersedes work, its mark stays until the successor has run to its first
  /// suspension. So the property does not flicker if that marks it too. To mark a property again in
  /// the same work changes nothing. When the store goes away nothing is written.
  ///
  /// A cancelled action cannot mark: it is reported as dropped, as a write is. Nor can work that has
  /// ended, since nothing would take the mark back. In a hook or in `onCancel` it traps, for the same
  /// reason.
  ///
  /// - Parameter keyPath: must lead to a part of the state that is there until the work ends: not to
  ///   an element of an array that may be removed.
  public func mark(_ keyPath: WritableKeyPath<State, Bool>) {
    scope.engine.mark(keyPath, in: scope)
  }
}

extension Engine {
  func mark(_ keyPath: WritableKeyPath<State, Bool>, in scope: Scope<State, Action>) {
    guard scope.isWork else {
      fatalError(
        """
        mark(_:) in \(scope.writerName): there is no action or run here, with whose end the property \
        would become false. Mark it in an action or a run.
        """)
    }
    guard scope.isUnderWay || !scope.isCurrent else { return reportDropped(keyPath, in: scope) }
    if scope.isCurrent {
      scope.keepUp(keyPath) {
        marks[keyPath, default: 0] += 1
        return Mark(keyPath: keyPath) { self.takeBack(keyPath, of: scope, after: $0) }
      }
    }
    // Of work that was cancelled this is a write like others: to its own copy, and reported.
    MutatingStore(scope).set(keyPath, true)
  }

  private func takeBack(
    _ keyPath: WritableKeyPath<State, Bool>, of work: Scope<State, Action>, after event: Int?
  ) {
    let others = (marks[keyPath] ?? 1) - 1
    marks[keyPath] = others > 0 ? others : nil
    guard others == 0, !isClosed else { return }
    let scope = AftermathScope(of: work, cause: event ?? work.cause) {
      "the end of \(work.description)"
    }
    MutatingStore(scope).set(keyPath, false)
  }

  private func reportDropped(
    _ keyPath: WritableKeyPath<State, Bool>, in scope: Scope<State, Action>
  ) {
    func marked(_ state: State) -> State {
      var state = state
      state[keyPath: keyPath] = true
      return state
    }
    let state = model.read(\.self)
    scope.report(.dropped(.change(from: state, to: marked(state))))
  }
}
