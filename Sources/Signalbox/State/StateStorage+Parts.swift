/// Changes of a state that is a part of another one.
extension StateStorage {
  /// A property of a state without a fixed address, for a change in place by a writer.
  ///
  /// While the state is gone, a copy of its last value is changed and dropped.
  @usableFromInline subscript<T>(
    away keyPath: WritableKeyPath<State, T>, by writer: any Writer
  ) -> T {
    get { readComputed(keyPath) }
    _modify {
      checkWrite()
      willWrite(ByteRange(keyPath), by: writer)
      if !reading({ isPresent }) {
        var new = current
        defer { writer.hasDropped(from: current, to: new) }
        yield &new[keyPath: keyPath]
      } else {
        let path = StatePath(keyPath)
        let change = beginAway(path, isForced: false)
        checkIsCurrent(writer)
        let old = isTrivial(T.self) ? projected[keyPath: keyPath] : nil
        let wasNil = isNil(projected[keyPath: keyPath])
        hold(writer)
        defer {
          release()
          var isUnchanged = wasNil && isNil(projected[keyPath: keyPath])
          if let old, let equality = Equality<T>.found() {
            let now = projected[keyPath: keyPath]
            isUnchanged = reading { equality.areEqual(old, now) }
          }
          endAway(change, isUnchanged: isUnchanged, by: writer)
        }
        yield &projected[keyPath: keyPath]
      }
    }
  }

  /// Assigns a value in a state without a fixed address.
  func assignAway<T>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, _ path: StatePath, isForced: Bool,
    by writer: any Writer, _ areEqual: ((T, T) -> Bool)?
  ) {
    guard reading({ isPresent }) else {
      var new = current
      new[keyPath: keyPath] = value
      return writer.hasDropped(from: current, to: new)
    }
    // Kept, so that it is released when everything else is done.
    let old = readComputed(keyPath)
    var isUnchanged = false
    if !isForced, let areEqual { isUnchanged = reading { areEqual(old, value) } }
    // A setter may change anything, even if the property stays equal.
    if isUnchanged, !path.hasRange, KeyPathShape(keyPath).hasSetter { isUnchanged = false }
    let change = beginAway(path, isForced: isForced)
    // The comparison, or a getter, may have cancelled the writer or ended this state.
    guard writer.target === self, isAway else {
      home.willNotChange()
      return detachedTarget(of: writer)
        .assign(value, to: keyPath, path: path, isForced: true, by: writer)
    }
    hold(writer)
    projected[keyPath: keyPath] = value
    release()
    discard(old)
    endAway(change, isUnchanged: isUnchanged, by: writer)
  }

  /// A change of a state without a fixed address.
  struct AwayChange {
    fileprivate let write: Write
  }

  /// Prepares a change of a property.
  ///
  /// In a batch, and for a property without a range, all observed parts of the state are compared,
  /// because the state may move before the end of the batch.
  private func beginAway(_ path: StatePath, isForced: Bool) -> AwayChange {
    let isOpen = !isForced && (root.batch != nil || !path.hasRange)
    return isOpen ? beginOpen() : begin(Write(path.moved(by: prefix)), isCertain: true)
  }

  /// Prepares a change that is found by comparing all observed parts.
  private func beginOpen() -> AwayChange { begin(Write(home.wholePath, .open), isCertain: false) }

  private func begin(_ write: Write, isCertain: Bool) -> AwayChange {
    home.willChange(write.path.range, isCertain: isCertain)
    return AwayChange(write: write)
  }

  private func endAway(_ change: AwayChange, isUnchanged: Bool, by writer: any Writer) {
    let write = change.write
    write.countsOutwards = !isUnchanged
    if isUnchanged { write.foundNoChange() }
    home.keepLostValues()
    home.didChange(write, by: writer)
  }

  /// Runs a body with exclusive access to a state that is a part of another one.
  func updatePart<R>(by writer: any Writer, _ body: (inout State) throws -> R) rethrows -> R {
    connectListeners()
    checkWrite()
    willWrite(whole.range, by: writer)
    guard reading({ isPresent }) else {
      var new = current
      defer { writer.hasDropped(from: current, to: new) }
      return try body(&new)
    }
    if isAway {
      let change = beginOpen()
      checkIsCurrent(writer)
      let old = canCompare ? projected : nil
      hold(writer)
      defer {
        release()
        endAway(change, isUnchanged: old.map(isEqual(to:)) ?? false, by: writer)
      }
      return try body(&projected)
    }
    let local = whole.moved(by: prefix)
    // Whether a wider part than this state may have to be told.
    let isWithinParts = flags & Self.watched != 0 && home.isWithinParts(local.range)
    let old = isWithinParts && canCompare ? current : nil
    home.willChange(local.range, isCertain: false)
    checkIsCurrent(writer)
    hold(writer)
    defer {
      release()
      let write = Write(whole, .open)
      if isWithinParts, !(old.map(isEqual(to:)) ?? false) { write.foundChange() }
      didChange(write, by: writer)
    }
    return try body(&projected)
  }
}

extension ObserverRegistry {
  /// Keeps the values of states that a write has given another identity.
  fileprivate func keepLostValues() {
    var inner = self
    while let outer = inner.outer {
      if outer.site != nil { reading { inner.keepLostValue() } }
      inner = outer.registry
    }
  }

  /// Whether there may be observed parts around a range.
  fileprivate func isWithinParts(_ range: ByteRange) -> Bool {
    !parts.around(range).isEmpty
  }
}

/// The end of a state that is a part of another one.
extension StateStorage {
  /// Keeps the value of a state that may go with the change that follows.
  func keepLast() {
    if isPresent, let place { replaceLast(with: place.state) }
  }

  /// Drops that value, because the state has stayed.
  func forgetLast() { replaceLast(with: nil) }

  func replaceLast(with value: State?) {
    if let old = Swift.exchange(&last, with: value) { discard(old) }
  }

  /// Cuts the storage off from the state around it, so that it keeps only its last value.
  func detach() {
    guard outermost != nil else { return }
    root.whenReleased { self.leaveOwner() }
  }

  private func leaveOwner() {
    guard outermost != nil else { return }
    let value = current
    let held = (owner, place, last)
    (owner, place, last) = (nil, nil, value)
    leave()
    setAway()
    withExtendedLifetime(held) {}
  }
}
