/// A node that knows the type of its part.
class TypedPart<Value>: ObservedPart {
  fileprivate final let equality: Equality<Value>?
  private final var isRemembering = false
  fileprivate final var remembered: Value?
  /// Whether there was no value after the last commit, so that one that comes is new.
  private final var wasMissing = false

  init(_ path: StatePath, isWhole: Bool, in storage: ObserverRegistry, equality: Equality<Value>?) {
    self.equality = equality
    super.init(path, isWhole: isWhole, in: storage)
  }

  override final var isComparable: Bool { equality != nil }

  /// The value of now.
  func read() -> Value { preconditionFailure("a part reads its own part") }

  /// The value that the commit being delivered has made; nothing if it did not change it.
  final func told(_ receive: (Value) -> Void) {
    guard telling != 0 else { return }
    if live == telling {
      receive(read())
    } else if let box = storage.box(of: self, in: telling) as? Box<Value> {
      receive(box.value)
    }
  }

  final func value(_ moment: ReadPoint) -> Value {
    if case .commit = moment, let box = storage.box(of: self, in: storage.delivering) as? Box<Value>
    {
      return box.value
    }
    if isThere { return read() }
    if let remembered { return remembered }
    trapMissing()
  }

  override final func requireValue() {
    if !isThere, remembered == nil { trapMissing() }
  }

  private func trapMissing() -> Never {
    fatalError(
      """
      \(path.text) is not in the state: its index is out of range, or it unwraps nil. A sink of \
      its changes can wait until it is there. includingCurrent(), removeDuplicates() and \
      combineLatest need a value from the start: observe what contains it, and map.
      """)
  }

  override final func boxed() -> AnyObject {
    isThere || remembered != nil ? Box(value(.now)) : self
  }

  override final func remember() {
    guard !isRemembering else { return }
    isRemembering = true
    wasMissing = !isThere
    if keepsValue, !wasMissing { remembered = read() }
  }

  /// Whether the value is kept from one change to the next.
  fileprivate var keepsValue: Bool { equality != nil }

  override final func differs() -> Bool {
    guard isRemembering else { return false }
    isRemembering = false
    // Taken, not overwritten: what is released here could come back in the middle of it.
    guard let equality, let before = remembered.take() else { return true }
    let now = read()
    let isEqual = storage.reading { equality.areEqual(before, now) }
    storage.discard(before)
    return !isEqual
  }

  override final func forget() {
    isRemembering = false
    if let before = remembered.take() { storage.discard(before) }
  }

  override final func advance() -> Bool {
    let isBack = wasMissing
    wasMissing = !isThere
    guard !wasMissing else { return false }
    let now = read()
    let before = remembered.take()
    if keepsValue { remembered = now } else { storage.discard(now) }
    guard !isBack, let equality, let before else {
      if let before { storage.discard(before) }
      return true
    }
    let isEqual = storage.reading { equality.areEqual(before, now) }
    storage.discard(before)
    return !isEqual
  }

  override final func baseline() -> Baseline {
    isThere ? ValueBaseline(self, read()) : Baseline()
  }
}

/// A stored property: it is read where it lies, without its key path.
final class StoredPart<Value>: TypedPart<Value> {
  override func read() -> Value {
    storage.checkRead()
    // An offset that `MemoryLayout` gives is that of a value of this very type.
    return unsafe (storage.base + range.lower)
      .assumingMemoryBound(to: Value.self).pointee
  }
}

/// Any other property: it is asked for by its key path.
///
/// An element, or what `!` leads to, may be missing. Then its watchers are told nothing until it is
/// there, and those who ask are given the last value.
final class ComputedPart<State, Value>: TypedPart<Value> {
  private let keyPath: KeyPath<State, Value>
  /// Only if it may be missing.
  private let shape: KeyPathShape?

  init(
    _ keyPath: KeyPath<State, Value>, _ path: StatePath, in storage: ObserverRegistry,
    equality: Equality<Value>?
  ) {
    self.keyPath = keyPath
    let shape = KeyPathShape(keyPath)
    if shape.hidesItsEnd {
      fatalError(
        """
        \(path.text) cannot be observed: it has a range of an array, or it has an index or `!` behind \
        a computed property, a subscript or an object, and so it cannot be known whether it leads to \
        a value. Observe what comes before that, and map.
        """)
    }
    self.shape = shape.mayBeMissing ? shape : nil
    super.init(path, isWhole: false, in: storage, equality: equality)
  }

  override var isThere: Bool {
    guard let shape else { return true }
    storage.checkRead()
    // The model that lists a node has its state.
    return unsafe shape.isThere(in: storage.base)
  }

  override fileprivate var keepsValue: Bool { equality != nil || shape != nil }

  override func read() -> Value {
    storage.checkRead()
    return storage.reading {
      unsafe storage.base.assumingMemoryBound(to: State.self).pointee[keyPath: keyPath]
    }
  }
}

/// The value of a part at the time when a subscriber came.
private final class ValueBaseline<Value>: Baseline {
  private let part: TypedPart<Value>
  private let value: Value

  init(_ part: TypedPart<Value>, _ value: Value) {
    self.part = part
    self.value = value
  }

  override var differs: Bool {
    guard part.isThere else { return false }
    guard let equality = part.equality else { return true }
    let now = part.read()
    let isEqual = part.storage.reading { equality.areEqual(value, now) }
    part.storage.discard(now)
    return !isEqual
  }
}

/// A value that has left the state and is yet to be told.
private final class Box<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}
