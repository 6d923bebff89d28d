/// What follows a change in place: whether it has changed anything, and what it means in a batch.
extension StateStorage {
  /// Notes a change in place of an `Equatable` property that followed a `beginInPlace`.
  @usableFromInline func didChange<T: Equatable>(
    _ keyPath: WritableKeyPath<State, T>, from old: T?, by writer: any Writer
  ) {
    if isForwarding {
      return endForwarded { target, writer in target.didChange(keyPath, from: old, by: writer) }
    }
    if isAway { return didChange(StatePath(keyPath), by: writer) }
    didChange(keyPath, from: old, by: writer) { $0 == $1 }
  }

  @usableFromInline func didChange(from old: State?, by writer: any Writer) {
    if isForwarding {
      return endForwarded { target, writer in target.didChange(from: old, by: writer) }
    }
    guard let equality, !isAway else { return didChange(StatePath(\State.self), by: writer) }
    didChange(\.self, from: old, by: writer, equality.areEqual)
  }

  private func didChange<T>(
    _ keyPath: WritableKeyPath<State, T>, from old: T?, by writer: any Writer,
    _ areEqual: @escaping (T, T) -> Bool
  ) {
    let path = StatePath(keyPath)
    guard let batch = transaction.batch, transaction.optimistic == nil, let old, path.hasRange
    else {
      return didChange(path, by: writer)
    }
    // The value before the change is put back briefly, to find the value before the batch.
    var other = old
    exchange(&other, at: keyPath)
    let verdict = verdict(on: path, keyPath, areEqual)
    exchange(&other, at: keyPath)
    let write = Write(path, verdict)
    write.move(to: home, by: prefix)
    endComparison()
    batch.note(write)
  }

  /// Whether a change in place is known to have left a property equal.
  // `old` is `nil` if keeping the old value would have made the change copy it.
  @inlinable @inline(__always)
  func isUnchanged<T: Equatable>(
    _ keyPath: WritableKeyPath<State, T>, from old: T?, wasNil: Bool
  ) -> Bool {
    if let old {
      // Read outside of the closure, because in a closure the key path is not a constant.
      let now = unsafe memory.pointee[keyPath: keyPath]
      return reading { old == now }
    }
    return unsafe wasNil && isNil(memory.pointee[keyPath: keyPath])
  }

  @usableFromInline func isEqual(to old: State) -> Bool {
    guard let equality else { return false }
    // Until a change of a copy ends, the state itself has the old value.
    let now = unsafe ownership == .copy || isForwarding ? memory.pointee : current
    return reading { equality.areEqual(old, now) }
  }

  var canCompare: Bool { equality != nil }
}
