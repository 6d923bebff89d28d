/// Gives an action, a run or a hook access to its store, to read and assign the state.
///
///     store.isLoading = true
///     store.messages.append(message)          // in place, whatever its size (M2)
///     store.user.name = try await service.name()
///
/// It does not keep the store alive and may be captured anywhere. After its action was cancelled or
/// superseded, or the store was released, it still reads its own writes, but nothing that is done
/// through it reaches the store (A6, A9).
@MainActor @dynamicMemberLookup public struct MutatingStore<State, Action> {
  @usableFromInline let scope: Scope<State, Action>

  // Inlined because the call is isolated to the main actor. A task that makes it on its way to
  // `onAction` would otherwise hop to the main actor twice.
  @inline(__always) init(_ scope: Scope<State, Action>) { self.scope = scope }

  /// The whole state.
  @inlinable public var state: State {
    get { scope.storage.read(\.self) }
    nonmutating set { set(\.self, newValue) }
    nonmutating _modify {
      let storage = scope.storage
      let isObserved =
        !storage.isQuiet
        && storage.beginInPlace(ByteRange(\State.self, isWhole: true), by: scope)
      let old = isObserved && isTrivial(State.self) ? unsafe storage.memory.pointee : nil
      storage.hold(scope)
      defer {
        storage.release()
        if isObserved {
          if let old, storage.isEqual(to: old) {
            storage.didNotChange(StatePath(\State.self), by: scope)
          } else {
            storage.didChange(from: old, by: scope)
          }
        }
      }
      yield unsafe &storage.memory.pointee
    }
  }

  /// Publishes the changes of the state and, by key path, of its parts.
  public var publisher: StatePublisher<State, State> {
    StatePublisher(scope.engine.storage)
  }

  /// A property of an `Equatable` type.
  ///
  /// Assigning an equal value notifies no observer (S6).
  @inlinable public subscript<T: Equatable>(dynamicMember keyPath: WritableKeyPath<State, T>) -> T {
    @inline(__always) get { scope.storage.read(keyPath) }
    @inline(__always) nonmutating set {
      let storage = scope.storage
      if storage.isQuiet {
        storage.write(newValue, to: keyPath, by: scope)
      } else {
        storage.assign(newValue, to: keyPath, path: StatePath(keyPath), isForced: false, by: scope)
      }
    }
    @inline(__always) nonmutating _modify {
      let storage = scope.storage
      let isObserved =
        !storage.isQuiet && storage.beginInPlace(ByteRange(keyPath), by: scope)
      let isCompared = isObserved && ByteRange(keyPath).hasRange
      // Only a trivial value is kept and compared. Keeping any other value would make the mutation
      // copy it (M2).
      let old =
        isCompared && isTrivial(T.self) ? unsafe storage.memory.pointee[keyPath: keyPath] : nil
      let wasNil = unsafe isCompared && isNil(storage.memory.pointee[keyPath: keyPath])
      storage.hold(scope)
      defer {
        storage.release()
        if isObserved {
          if storage.isUnchanged(keyPath, from: old, wasNil: wasNil) {
            storage.didNotChange(StatePath(keyPath), by: scope)
          } else if !storage.tellOnly(ByteRange(keyPath)) {
            storage.didChange(keyPath, from: old, by: scope)
          }
        }
      }
      yield unsafe &storage.memory.pointee[keyPath: keyPath]
    }
  }

  /// A property of a type that is not known to be `Equatable`.
  @_disfavoredOverload
  @inlinable public subscript<T>(dynamicMember keyPath: WritableKeyPath<State, T>) -> T {
    @inline(__always) get { scope.storage.read(keyPath) }
    @inline(__always) nonmutating set {
      let storage = scope.storage
      if storage.isQuiet {
        storage.write(newValue, to: keyPath, by: scope)
      } else {
        storage.assign(newValue, to: keyPath, path: StatePath(keyPath), isForced: false, by: scope)
      }
    }
    @inline(__always) nonmutating _modify {
      let storage = scope.storage
      let isObserved =
        !storage.isQuiet && storage.beginInPlace(ByteRange(keyPath), by: scope)
      let isCompared = isObserved && ByteRange(keyPath).hasRange
      let wasNil = unsafe isCompared && isNil(storage.memory.pointee[keyPath: keyPath])
      storage.hold(scope)
      defer {
        storage.release()
        if isObserved {
          if wasNil, unsafe isNil(storage.memory.pointee[keyPath: keyPath]) {
            storage.didNotChange(StatePath(keyPath), by: scope)
          } else if !storage.tellOnly(ByteRange(keyPath)) {
            storage.didChange(StatePath(keyPath), by: scope)
          }
        }
      }
      yield unsafe &storage.memory.pointee[keyPath: keyPath]
    }
  }

  /// A read-only property.
  @_disfavoredOverload
  @inlinable public subscript<T>(dynamicMember keyPath: KeyPath<State, T>) -> T {
    @inline(__always) get { scope.storage.read(keyPath) }
  }

  /// Assigns a value.
  ///
  /// - Parameters:
  ///   - keyPath: the property to assign.
  ///   - value: the new value. An equal value notifies no observer.
  ///   - forceUpdate: notifies the observers of this path and of the paths around it even if the
  ///     value is equal (S6).
  @inlinable public func set<T>(
    _ keyPath: WritableKeyPath<State, T>, _ value: T, forceUpdate: Bool = false
  ) {
    scope.storage.assign(
      value, to: keyPath, path: StatePath(keyPath), isForced: forceUpdate, by: scope)
  }

  /// Changes several properties as one commit, with exclusive access to the state.
  ///
  /// The observed parts of the state are compared afterwards. When the body throws, its changes
  /// stay and are delivered once (S6).
  ///
  /// - Parameter body: changes the state. Accessing the store in it traps. Use `batch` for code
  ///   that has to access the store.
  /// - Returns: what the body returns.
  /// - Throws: what the body throws.
  @discardableResult
  public func update<R>(_ body: (inout State) throws -> R) rethrows -> R {
    let scope = scope.current
    return try scope.readyStorage().update(by: scope, body)
  }

  /// Combines everything that a body changes into one commit.
  ///
  /// Batches can be nested. The outermost one makes the commit (S6).
  ///
  /// - Parameter body: changes the state through the store.
  /// - Returns: what the body returns.
  /// - Throws: what the body throws.
  @discardableResult
  public func batch<R>(_ body: () throws -> R) rethrows -> R {
    let scope = scope.current
    return try scope.readyStorage().transaction.batch(by: scope, body)
  }

  /// Whether writes and dispatches reach the store.
  ///
  /// It is `false` after the action or run was cancelled or superseded, or the store was released.
  public var isCurrent: Bool {
    let scope = scope.current
    return scope.isCurrent && !scope.engine.isClosed
  }
}

extension MutatingStore {
  /// Starts an action and runs it up to its first suspension before returning (A1).
  ///
  /// In an asynchronous function, `dispatch` resolves to the overload that waits. Use `send` there to
  /// start an action without waiting for it. At the top level of `main.swift`, `dispatch` never waits.
  public func dispatch(_ action: Action) {
    _ = scope.current.acting { $0.engine.perform(action, from: $0) }
  }

  /// Starts an action and waits until it has ended.
  ///
  /// Cancelling the waiting task cancels the action (A2). An event of a transducer is awaited with all
  /// effects that follow from it (X7).
  public func dispatch(_ action: Action) async {
    let scope = scope.current
    if scope.engine.performsItself {
      return await scope.engine.wait(for: send(action), in: scope)
    }
    await scope.engine.wait(
      for: scope.acting { $0.engine.perform(action, from: $0) }, in: scope)
  }

  /// Starts an action and returns a handle to it.
  @discardableResult
  public func send(_ action: Action) -> ActionTask {
    scope.current.acting { $0.engine.send(action, from: $0) }
  }

  /// Starts work by hand, with its own name and policy (A5).
  ///
  /// The run starts at once, as an action does. It belongs to the store, so cancelling the action
  /// that made it does not cancel it. If it throws, the error goes to the `onError` of that action.
  /// Without such an action, the error is reported as unhandled (A8).
  ///
  /// - Parameters:
  ///   - id: the name of the work. Actions and runs of a store share their names. `nil` means no
  ///     name.
  ///   - overlap: what happens to running and queued work of the same name.
  ///   - priority: the priority of the task that runs the work.
  ///   - operation: the work. It is kept until it has returned. It receives a store of its own,
  ///     which is detached when the run is cancelled.
  /// - Returns: a handle to the run.
  @discardableResult
  public func run(
    id: (any Hashable & Sendable)? = nil, overlap: Overlap = .latest,
    priority: TaskPriority? = nil,
    _ operation: @escaping @MainActor (MutatingStore<State, Action>) async throws -> Void
  ) -> ActionTask {
    scope.current.acting {
      $0.engine.run(id: id, overlap: overlap, priority: priority, from: $0, operation)
    }
  }

  /// Cancels the running and queued work that has the action's name, whatever its payload.
  ///
  /// Does nothing if there is no such work.
  public func cancel(_ action: Action) where Action: CancellableAction {
    if let identifier = action.cancelIdentifier { cancel(id: identifier) }
  }

  /// Cancels all running and queued work of a name.
  ///
  /// Does nothing if there is no such work.
  public func cancel(id: any Hashable) {
    scope.current.acting { $0.engine.cancel(id, from: $0) }
  }
}
