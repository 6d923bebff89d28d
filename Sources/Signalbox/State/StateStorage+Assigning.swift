/// Assignments to the state. The values are exchanged, and the old one is released when everything
/// else is done, so that its `deinit` finds the state complete (M1, S6).
extension StateStorage {
  /// Assigns a value, also an equal one, because `==` may ignore a difference.
  // Unless it is forced, it then notifies only the observers of parts that differ (M4, S6).
  @usableFromInline func assign<T: Equatable>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, path: StatePath, isForced: Bool,
    by writer: any Writer
  ) {
    assign(value, to: keyPath, path, isForced: isForced, by: writer) { $0 == $1 }
  }

  @usableFromInline func assign<T>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, path: StatePath, isForced: Bool,
    by writer: any Writer
  ) {
    assign(
      value, to: keyPath, path, isForced: isForced, by: writer, RuntimeEquality.function(of: T.self)
    )
  }

  /// Assigns a value without notifying observers.
  @inlinable @inline(__always)
  func write<T>(_ value: T, to keyPath: WritableKeyPath<State, T>, by writer: any Writer) {
    guard ByteRange(keyPath).hasRange, !isAway else {
      return writeComputed(value, to: keyPath, by: writer)
    }
    var value = value
    exchange(&value, at: keyPath)
  }

  /// Exchanges a value with the value of a stored property, which runs no user code.
  @inlinable @inline(__always)
  func exchange<T>(_ value: inout T, at keyPath: WritableKeyPath<State, T>) {
    unsafe swap(&value, &memory.pointee[keyPath: keyPath])
  }

  /// Assigns to a computed property, whose setter has exclusive access to the state.
  @usableFromInline func writeComputed<T>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, by writer: any Writer
  ) {
    if isAway {
      return assign(value, to: keyPath, StatePath(keyPath), isForced: true, by: writer, nil)
    }
    // Read first, so that the value which the setter replaces is released after the setter.
    let old = readComputed(keyPath)
    hold(writer)
    projected[keyPath: keyPath] = value
    release()
    withExtendedLifetime(old) {}
  }

  func assign<T>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, _ path: StatePath, isForced: Bool,
    by writer: any Writer, _ areEqual: ((T, T) -> Bool)?
  ) {
    connectListeners()
    guard writer.target === self else {
      return detachedTarget(of: writer)
        .assign(value, to: keyPath, path: path, isForced: isForced, by: writer)
    }
    checkAct()
    if isAway {
      return assignAway(value, to: keyPath, path, isForced: isForced, by: writer, areEqual)
    }
    guard isWatched else { return write(value, to: keyPath, by: writer) }
    if flags & Self.overlaid != 0 {
      return assignTruth(value, to: keyPath, path, isForced: isForced, by: writer)
    }
    let (home, local) = (home, path.moved(by: prefix))
    guard path.hasRange else {
      return assignComputed(value, to: keyPath, path, isForced: isForced, by: writer, areEqual)
    }
    var isSilent = false
    if !isForced, let areEqual {
      let old = unsafe memory.pointee[keyPath: keyPath]
      isSilent = reading { areEqual(old, value) }
    }
    if isSilent, !home.concernsParts(of: local.range) {
      return write(value, to: keyPath, by: writer)
    }
    let verdict: Write.Verdict
    if isSilent {
      verdict = .parts
    } else if !isForced, let areEqual {
      verdict = self.verdict(on: path, keyPath, areEqual)
    } else {
      verdict = .counts
    }
    home.willChange(local.range, isCertain: true)
    var value = value
    exchange(&value, at: keyPath)
    if transaction.batch != nil {
      home.didChange(Write(local, verdict), by: writer)
      return withExtendedLifetime(value) {}
    }
    // Not released at the end of this call. If each value of a chain assigned its successor in its
    // `deinit`, the calls would nest as deeply as the chain is long.
    discard(consume value)
    if isSilent || !tellOnly(path.range) {
      home.didChange(Write(local, verdict), by: writer)
    } else {
      transaction.releaseDiscarded()
    }
  }

  private func assignComputed<T>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, _ path: StatePath, isForced: Bool,
    by writer: any Writer, _ areEqual: ((T, T) -> Bool)?
  ) {
    let located = path.located
    if located.hasRange {
      return assign(value, to: keyPath, located, isForced: isForced, by: writer, areEqual)
    }
    let old = readComputed(keyPath)
    // A setter may change anything, even if the property stays equal.
    if !isForced, let areEqual, !KeyPathShape(keyPath).hasSetter,
      reading({ areEqual(old, value) })
    {
      return writeComputed(value, to: keyPath, by: writer)
    }
    let (home, local) = (home, path.moved(by: prefix))
    home.willChange(local.range, isCertain: false)
    let root = root
    root.transaction.isComparing = true
    writeComputed(value, to: keyPath, by: writer)
    root.transaction.isComparing = false
    home.didChange(Write(local, isForced ? .counts : .open), by: writer)
    root.transaction.runPostponedIfReleased()
    withExtendedLifetime(old) {}
  }

  /// How a write of a value that can be compared counts at the end of the batch, if there is one.
  func verdict<T>(
    on path: StatePath, _ keyPath: WritableKeyPath<State, T>, _ areEqual: @escaping (T, T) -> Bool
  ) -> Write.Verdict {
    guard let batch = transaction.batch else { return .counts }
    let path = path.moved(by: prefix)
    if reading({ batch.covers(path, in: home) }) { return .compares(nil) }
    let before = batch.rewound(within: path.range, in: home) {
      unsafe StoredPriorValue(memory.pointee[keyPath: keyPath], at: keyPath, in: self, areEqual)
    }
    return .compares(before)
  }

  /// The storage of a writer, such as its own copy once it is cancelled, which has the same type.
  func detachedTarget(of writer: any Writer) -> StateStorage {
    unsafe unsafeDowncast(writer.target, to: StateStorage.self)
  }

  private var isWatched: Bool { flags & Self.watched != 0 }
}

/// The value that a stored property had before a batch.
private final class StoredPriorValue<State, T>: PriorValue {
  private var value: T
  private let keyPath: WritableKeyPath<State, T>
  private let storage: StateStorage<State>
  private let areEqual: (T, T) -> Bool

  init(
    _ value: T, at keyPath: WritableKeyPath<State, T>, in storage: StateStorage<State>,
    _ areEqual: @escaping (T, T) -> Bool
  ) {
    self.value = value
    self.keyPath = keyPath
    self.storage = storage
    self.areEqual = areEqual
  }

  override var isBack: Bool {
    let now = unsafe storage.memory.pointee[keyPath: keyPath]
    return storage.reading { areEqual(value, now) }
  }

  override func exchange() { storage.exchange(&value, at: keyPath) }
}
