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
  /// - Parameter keyPath: must lead to the same part of the state until the work ends: not to an
  ///   element of an array, which may move. If the part has gone by then nothing is written. An index
  ///   or `!` behind a computed property, a subscript or an object traps, since it cannot be known
  ///   whether it leads to a value.
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
    if !ByteRange(keyPath).hasRange, KeyPathShape(keyPath).hidesItsEnd {
      fatalError(
        """
        \(StatePath(keyPath).text) cannot be marked: it has a range of an array, or it has an index or \
        `!` behind a computed property, a subscript or an object, and so it cannot be known whether \
        the part is still there when the work ends. Mark a property that does not depend on it.
        """)
    }
    guard scope.isUnderWay || !scope.isCurrent else { return reportDropped(keyPath, in: scope) }
    if scope.isCurrent {
      scope.keepUp(keyPath) {
        changeMarks { $0[keyPath, default: 0] += 1 }
        return Mark(keyPath: keyPath) { self.takeBack(keyPath, of: scope, after: $0) }
      }
    }
    // Of work that was cancelled this is a write like others: to its own copy, and reported.
    MutatingStore(scope).set(keyPath, true)
  }

  private func takeBack(
    _ keyPath: WritableKeyPath<State, Bool>, of work: Scope<State, Action>, after event: Int?
  ) {
    var others = 0
    changeMarks {
      others = ($0[keyPath] ?? 1) - 1
      $0[keyPath] = others > 0 ? others : nil
    }
    guard others == 0, !isClosed, storage.isThere(keyPath) else { return }
    let scope = AftermathScope(of: work, cause: event ?? work.cause) {
      "the end of \(work.description)"
    }
    MutatingStore(scope).set(keyPath, false)
  }

  /// The index of a key path is hashed and compared by code of the user's, which may mark in turn.
  private func changeMarks(_ body: (inout [AnyKeyPath: Int]) -> Void) {
    var marks: [AnyKeyPath: Int] = [:]
    swap(&marks, &self.marks)
    body(&marks)
    swap(&marks, &self.marks)
    if !marks.isEmpty { changeMarks { $0.merge(marks) { $0 + $1 } } }
  }

  private func reportDropped(
    _ keyPath: WritableKeyPath<State, Bool>, in scope: Scope<State, Action>
  ) {
    func marked(_ state: State) -> State {
      var state = state
      state[keyPath: keyPath] = true
      return state
    }
    let state = storage.read(\.self)
    scope.report(.dropped(.change(from: state, to: marked(state))))
  }
}
