extension MutatingStore {
  /// Sets a property to true now, and to false when the action or run ends in any way (A13).
  ///
  ///     store.mark(\.isSaving)
  ///     try await service.save(store.draft)
  ///
  /// `defer { store.isSaving = false }` cannot replace it. Once an action is cancelled, nothing
  /// that it writes reaches the store, and the property would stay true.
  ///
  /// If several pieces of work mark the same property, it stays true until the last one has ended.
  /// When `.latest` supersedes work, its mark stays until the successor has run to its first
  /// suspension. The property does not flicker if the successor marks it as well. Marking a
  /// property twice in the same work counts once. When the store is released, nothing is written.
  ///
  /// A cancelled action and work that has ended mark nothing, and the attempt is reported as
  /// dropped. In a hook or in `onCancel`, a mark traps because nothing would remove it.
  ///
  /// - Parameter keyPath: the property. The key path must lead to the same part of the state until
  ///   the work ends, so it must not lead to an element of an array, which may move. If the part no
  ///   longer exists when the work ends, nothing is written. An index or `!` behind a computed
  ///   property, a subscript or an object traps, because the store cannot tell whether the part
  ///   still exists.
  public func mark(_ keyPath: WritableKeyPath<State, Bool>) {
    let scope = scope.current
    scope.engine.mark(keyPath, in: scope)
  }
}

extension Engine {
  func mark(_ keyPath: WritableKeyPath<State, Bool>, in scope: Scope<State, Action>) {
    let work = scope.worker
    guard work.mayEnd else {
      fatalError(
        """
        mark(_:) in \(scope.writerName): there is no action or run here whose end would set the \
        property back to false. Mark it in an action or a run.
        """)
    }
    if !ByteRange(keyPath).hasRange, KeyPathShape(keyPath).hidesItsEnd {
      fatalError(
        """
        \(StatePath(keyPath).text) cannot be marked: it has a range of an array, or it has an index or \
        `!` behind a computed property, a subscript or an object. The store cannot tell whether the \
        part still exists when the work ends. Mark a property that does not depend on such a part.
        """)
    }
    guard work.isUnderWay || !scope.isCurrent else {
      return reportDropped(in: scope) { $0[keyPath: keyPath] = true }
    }
    if scope.isCurrent {
      // A property of a child that always exists is also one of the state around it, whose work may
      // mark it, too.
      let (home, path) = (storage.home, StatePath(keyPath).located.moved(by: storage.prefix))
      let mark = Mark(home: ObjectIdentifier(home), path: path)
      // User code hashes the index of a key path.
      home.reading {
        work.keepUp(mark) {
          home.marks[path, default: 0] += 1
          return { self.takeBack(keyPath, path, in: home, of: scope, after: $0) }
        }
      }
    }
    // A stale write, which changes the work's own copy and is reported as dropped.
    MutatingStore(scope).set(keyPath, true)
  }

  private func takeBack(
    _ keyPath: WritableKeyPath<State, Bool>, _ path: StatePath, in home: StateNode,
    of work: Scope<State, Action>, after event: Int?
  ) {
    let others = home.reading {
      let others = (home.marks[path] ?? 1) - 1
      home.marks[path] = others > 0 ? others : nil
      return others
    }
    guard others == 0, !isClosed, storage.isInTruth(KeyPathShape(keyPath)) else { return }
    let scope = AftermathScope(of: work, cause: work.cause(event) ?? work.cause) {
      "the end of \(work.description)"
    }
    MutatingStore(scope).set(keyPath, false)
  }
}
