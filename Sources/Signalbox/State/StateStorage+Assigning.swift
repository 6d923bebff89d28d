/// Assignments.
///
/// The old value is taken out of the state, the new one put in its place, and the old one released
/// when all else is done: what it does when it is released finds the state whole (M1, S6).
extension StateStorage {
  /// Assigns a value.
  ///
  /// An equal one is silent unless forced, and assigned all the same: what `==` passes over is
  /// still part of the value (M4).
  @usableFromInline func assign<T: Equatable>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, path: StatePath, isForced: Bool,
    by writer: any Writer
  ) {
    assign(value, to: keyPath, path, isForced: isForced, by: writer) { $0 == $1 }
  }

  /// Assigns a value of a type that is not known to be comparable.
  @usableFromInline func assign<T>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, path: StatePath, isForced: Bool,
    by writer: any Writer
  ) {
    assign(
      value, to: keyPath, path, isForced: isForced, by: writer, Equality<T>.found()?.areEqual)
  }

  /// Assigns a value that no one is to be told of.
  @inlinable @inline(__always)
  func write<T>(_ value: T, to keyPath: WritableKeyPath<State, T>, by writer: any Writer) {
    guard ByteRange(keyPath).hasRange else { return writeComputed(value, to: keyPath, by: writer) }
    var value = value
    exchange(&value, at: keyPath)
  }

  /// Exchanges a value with the one of a stored property, which runs no code of the user's.
  @inlinable @inline(__always)
  func exchange<T>(_ value: inout T, at keyPath: WritableKeyPath<State, T>) {
    unsafe swap(&value, &memory.pointee[keyPath: keyPath])
  }

  /// Runs a setter of the user's, which has the state for itself.
  @usableFromInline func writeComputed<T>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, by writer: any Writer
  ) {
    // Read first: what the setter replaces is then released after it.
    let old = readComputed(keyPath)
    // The getter may have cancelled the writer.
    guard writer.target === self else {
      return cutOffModel(of: writer).writeComputed(value, to: keyPath, by: writer)
    }
    hold(writer)
    unsafe memory.pointee[keyPath: keyPath] = value
    release()
    withExtendedLifetime(old) {}
  }

  private func assign<T>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, _ path: StatePath, isForced: Bool,
    by writer: any Writer, _ areEqual: ((T, T) -> Bool)?
  ) {
    meetListeners()
    guard writer.target === self else {
      return cutOffModel(of: writer)
        .assign(value, to: keyPath, path: path, isForced: isForced, by: writer)
    }
    checkWrite()
    guard isWatched else { return write(value, to: keyPath, by: writer) }
    guard path.hasRange else {
      return assignComputed(value, to: keyPath, path, isForced: isForced, by: writer, areEqual)
    }
    var isSilent = false
    if !isForced, let areEqual {
      let old = unsafe memory.pointee[keyPath: keyPath]
      isSilent = reading { areEqual(old, value) }
      // The comparison may have cancelled the writer, or ended the last subscription.
      guard writer.target === self else {
        return cutOffModel(of: writer)
          .assign(value, to: keyPath, path: path, isForced: true, by: writer)
      }
    }
    if isSilent, !concernsParts(of: path.range) {
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
    let index = willChange(path.range, isCertain: true)
    // So may a getter, whose value had to be kept.
    guard writer.target === self else {
      willNotChange()
      return cutOffModel(of: writer)
        .assign(value, to: keyPath, path: path, isForced: true, by: writer)
    }
    var value = value
    exchange(&value, at: keyPath)
    if batch != nil {
      didChange(Write(path, verdict), by: writer)
      return withExtendedLifetime(value) {}
    }
    // Not at the end of this call: a value that assigns its successor when it is released would
    // nest as deep as their chain is long.
    discard(consume value)
    if isSilent || !tellOnly(index, at: path.range) {
      didChange(Write(path, verdict), by: writer)
    } else {
      releaseDiscarded()
    }
  }

  private func assignComputed<T>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, _ path: StatePath, isForced: Bool,
    by writer: any Writer, _ areEqual: ((T, T) -> Bool)?
  ) {
    let old = readComputed(keyPath)
    // A setter may change anything, whatever the property was before and is now.
    if !isForced, let areEqual, !KeyPathShape(keyPath).hasSetter,
      reading({ areEqual(old, value) }), writer.target === self
    {
      return writeComputed(value, to: keyPath, by: writer)
    }
    guard writer.target === self else {
      return cutOffModel(of: writer).write(value, to: keyPath, by: writer)
    }
    willChange(path.range, isCertain: false)
    guard writer.target === self else {
      willNotChange()
      return cutOffModel(of: writer).write(value, to: keyPath, by: writer)
    }
    writeComputed(value, to: keyPath, by: writer)
    didChange(Write(path, isForced ? .counts : .open), by: writer)
    withExtendedLifetime(old) {}
  }

  /// How a change of what can be compared counts at the end of the batch, if this is one.
  func verdict<T>(
    on path: StatePath, _ keyPath: WritableKeyPath<State, T>, _ areEqual: @escaping (T, T) -> Bool
  ) -> Write.Verdict {
    guard let batch else { return .counts }
    if reading({ batch.covers(path) }) { return .compares(nil) }
    let before = batch.rewound(within: path.range) {
      unsafe StoredPriorValue(memory.pointee[keyPath: keyPath], at: keyPath, in: self, areEqual)
    }
    return .compares(before)
  }

  /// Where a writer goes on that was cut off while it wrote: a model of this very type.
  private func cutOffModel(of writer: any Writer) -> StateStorage {
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
