extension MutatingStore {
  /// Shows a change before it is certain, such as one that a request will probably bring about (O1).
  ///
  ///     let pending = store.optimistic { $0.isStarred = true }
  ///     let row = try await service.star(store.id)
  ///     pending.confirm { $0 = row }
  ///
  /// The change is pending until the action or the run ends, or the returned value is confirmed or
  /// reverted. If the work returns, the change becomes a part of the truth. If it throws, is cancelled or
  /// is superseded, the change is taken back, and nothing else is (O2). What is written meanwhile is
  /// written to the truth, and the state is the truth with all pending changes on top (O3).
  ///
  /// In a hook or in `onCancel`, it traps because nothing would end the change. A cancelled action and
  /// work that has ended change nothing, and the attempt is reported as dropped.
  ///
  /// - Parameter change: changes the state. It is kept until the change has ended, and may run again with
  ///   any commit, on a truth that has changed. So it finds elements by their ids. It must touch only its
  ///   argument: accessing the store in it traps (O5).
  /// - Returns: the change, to confirm or revert it. Ignoring it leaves that to the end of the work.
  @discardableResult
  public func optimistic(_ change: @escaping (inout State) -> Void) -> PendingChange<State> {
    let scope = scope.current
    return scope.engine.optimistic(change, in: scope)
  }
}

extension Engine {
  @discardableResult func optimistic(
    _ change: @escaping (inout State) -> Void, in scope: Scope<State, Action>
  ) -> PendingChange<State> {
    let work = scope.worker
    guard work.mayEnd else {
      fatalError(
        """
        optimistic(_:) in \(scope.writerName): there is no action or run here whose end would confirm the \
        change or take it back. Make it in an action or a run.
        """)
    }
    if State.self is AnyObject.Type || storage.root.isObject {
      fatalError(
        """
        optimistic(_:) in \(scope.writerName): \(State.self) is a class, or is in one, so there is only one \
        of it, and no truth can be kept beside what is shown. Make the state a struct.
        """)
    }
    if !scope.isCurrent {
      // An ordinary stale write, which changes the work's own copy and is reported as dropped.
      MutatingStore(scope).update(change)
    } else if !work.isUnderWay {
      reportDropped(in: scope, change)
    } else {
      return PendingChange(storage, show(change, in: scope))
    }
    return PendingChange(storage, nil)
  }

  private func show(
    _ body: @escaping (inout State) -> Void, in scope: Scope<State, Action>
  ) -> TentativeChange {
    storage.connectListeners()
    storage.checkAct()
    let change = TentativeChange(
      in: storage, report: { self.report($0, of: scope, by: $1) },
      { [storage] in storage.apply(body) })
    let waiters = scope.worker.makeWaiters()
    let others = waiters.changes as? PendingChanges ?? PendingChanges()
    waiters.changes = others
    others.add(change)
    change.begin()
    return change
  }

  /// Returns the writer of the commit that follows; `nil` if the store has ended.
  private func report(
    _ step: TentativeChange.Step, of scope: Scope<State, Action>, by origin: TentativeChange.Origin
  ) -> (any Writer)? {
    if log.rootIsReleased { return nil }
    let kind: StoreEvent<State, Action>.Kind =
      switch step {
      case .pending: .pending
      case .confirmed: .confirmed
      case .takenBack: .takenBack
      }
    let cause =
      switch origin {
      case .work(let event): scope.cause(event) ?? scope.currentCause
      case .caller: log.currentCause
      }
    let number = log.emit(kind, cause: cause, work: scope.began?.event)
    return AftermathScope(of: scope, cause: number ?? cause) {
      "a pending change of \(scope.worker.description)"
    }
  }

  /// Reports a change that was not made, because its work has ended.
  func reportDropped(in scope: Scope<State, Action>, _ change: (inout State) -> Void) {
    let state = storage.read(\.self)
    var changed = state
    change(&changed)
    scope.report(.dropped(.change(from: state, to: changed)))
  }
}
