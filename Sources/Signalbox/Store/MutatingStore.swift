/// A store as an action, a run or a hook sees it: state to read and to assign to.
///
///     store.isLoading = true
///     store.messages.append(message)          // in place, whatever its size (M2)
///     store.user.name = try await service.name()
///
/// It does not keep the store alive and may be captured anywhere. When its action is cancelled or
/// superseded, or the store is gone, it goes on reading its own writes, and nothing that is done
/// through it reaches the store (A6, A9).
@MainActor @dynamicMemberLookup public struct MutatingStore<State, Action> {
  @usableFromInline let scope: Scope<State, Action>

  // Inlined: a call would have to be made on the main actor, and a task that only makes one on its
  // way to `onAction` would go there twice.
  @inline(__always) init(_ scope: Scope<State, Action>) { self.scope = scope }

  /// The state as a whole.
  @inlinable public var state: State {
    get { scope.storage.read(\.self) }
    nonmutating set { set(\.self, newValue) }
    nonmutating _modify {
      let storage = scope.storage
      let index =
        storage.isQuiet
        ? -1 : storage.beginInPlace(ByteRange(\State.self, isWhole: true), by: scope)
      let old = index >= 0 && isTrivial(State.self) ? unsafe storage.memory.pointee : nil
      storage.hold(scope)
      defer {
        storage.release()
        if index >= 0 {
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

  /// The changes of the state; key paths lead to its parts.
  public var publisher: StatePublisher<State, State> {
    StatePublisher(scope.engine.storage)
  }

  /// A property that can be compared: assigning an equal value is silent (S6).
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
      let index = storage.isQuiet ? -1 : storage.beginInPlace(ByteRange(keyPath), by: scope)
      let isCompared = index >= 0 && ByteRange(keyPath).hasRange
      // What can be copied bit by bit is compared; the rest would be copied when it is changed.
      let old =
        isCompared && isTrivial(T.self) ? unsafe storage.memory.pointee[keyPath: keyPath] : nil
      let wasNil = unsafe isCompared && isNil(storage.memory.pointee[keyPath: keyPath])
      storage.hold(scope)
      defer {
        storage.release()
        if index >= 0 {
          if storage.isUnchanged(keyPath, from: old, wasNil: wasNil) {
            storage.didNotChange(StatePath(keyPath), by: scope)
          } else if !storage.tellOnly(index, at: ByteRange(keyPath)) {
            storage.didChange(keyPath, from: old, by: scope)
          }
        }
      }
      yield unsafe &storage.memory.pointee[keyPath: keyPath]
    }
  }

  /// A property of a type that is not known to be comparable.
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
      let index = storage.isQuiet ? -1 : storage.beginInPlace(ByteRange(keyPath), by: scope)
      let isCompared = index >= 0 && ByteRange(keyPath).hasRange
      let wasNil = unsafe isCompared && isNil(storage.memory.pointee[keyPath: keyPath])
      storage.hold(scope)
      defer {
        storage.release()
        if index >= 0 {
          if wasNil, unsafe isNil(storage.memory.pointee[keyPath: keyPath]) {
            storage.didNotChange(StatePath(keyPath), by: scope)
          } else if !storage.tellOnly(index, at: ByteRange(keyPath)) {
            storage.didChange(StatePath(keyPath), by: scope)
          }
        }
      }
      yield unsafe &storage.memory.pointee[keyPath: keyPath]
    }
  }

  /// A property that can only be read.
  @_disfavoredOverload
  @inlinable public subscript<T>(dynamicMember keyPath: KeyPath<State, T>) -> T {
    @inline(__always) get { scope.storage.read(keyPath) }
  }

  /// Assigns a value.
  ///
  /// - Parameters:
  ///   - keyPath: where to.
  ///   - value: what. An equal value is silent.
  ///   - forceUpdate: tells the observers of the key path and of those around it even so (S6).
  @inlinable public func set<T>(
    _ keyPath: WritableKeyPath<State, T>, _ value: T, forceUpdate: Bool = false
  ) {
    scope.storage.assign(
      value, to: keyPath, path: StatePath(keyPath), isForced: forceUpdate, by: scope)
  }

  /// Changes several properties as one commit, with the state for itself.
  ///
  /// What is observed is compared afterwards. When the body throws, what it changed stands and is
  /// told once (S6).
  ///
  /// - Parameter body: must not touch the store, which traps; use `batch` where it has to.
  @discardableResult
  public func update<R>(_ body: (inout State) throws -> R) rethrows -> R {
    try scope.readyModel().update(by: scope, body)
  }

  /// Makes one commit of everything that a body changes.
  ///
  /// Batches nest; the outermost one counts (S6).
  @discardableResult
  public func batch<R>(_ body: () throws -> R) rethrows -> R {
    try scope.readyModel().batch(by: scope, body)
  }

  /// Whether what is done here reaches the store: the work was not cancelled or superseded.
  public var isCurrent: Bool { scope.isCurrent && !scope.engine.isClosed }
}

extension MutatingStore {
  /// Starts an action, and runs it up to its first suspension before it returns (A1).
  ///
  /// In asynchronous code `dispatch` is the one that waits; there, `send` starts an action and goes
  /// on.
  public func dispatch(_ action: Action) { _ = scope.engine.perform(action, from: scope) }

  /// Starts an action and waits until it has ended.
  ///
  /// Cancelling the waiting task cancels the action (A2).
  public func dispatch(_ action: Action) async {
    await scope.engine.wait(for: scope.engine.perform(action, from: scope), in: scope)
  }

  /// Starts an action and returns a handle on it.
  @discardableResult
  public func send(_ action: Action) -> ActionTask {
    scope.engine.send(action, from: scope)
  }

  /// Starts work by hand, with a name and a policy of its own (A5).
  ///
  /// It starts at once, as an action does, and belongs to the store: cancelling the action that
  /// made it does not reach it. What it throws goes to that action's `onError`.
  ///
  /// - Parameters:
  ///   - id: the name of the work, shared with the actions of the store; `nil`: none.
  ///   - overlap: what happens to work of the same name that is not done yet.
  ///   - priority: of the task that runs it.
  ///   - operation: is kept until it has returned; gets a store of its own, which is cut off when
  ///     the run is cancelled.
  @discardableResult
  public func run(
    id: (any Hashable & Sendable)? = nil, overlap: Overlap = .latest,
    priority: TaskPriority? = nil,
    _ operation: @escaping @MainActor (MutatingStore<State, Action>) async throws -> Void
  ) -> ActionTask {
    scope.engine.run(id: id, overlap: overlap, priority: priority, from: scope, operation)
  }

  /// Cancels the work that has the action's name.
  ///
  /// Not an error if there is none.
  public func cancel(_ action: Action) where Action: CancellableAction {
    if let identifier = action.cancelIdentifier { cancel(id: identifier) }
  }

  /// Cancels all work of a name, running and queued.
  ///
  /// Not an error if there is none.
  public func cancel(id: any Hashable & Sendable) { scope.engine.cancel(id, from: scope) }
}
