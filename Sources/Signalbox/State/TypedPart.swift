/// An observed part that knows the type of its value.
class TypedPart<Value>: ObservedPart {
  final let equality: Equality<Value>?
  private final var isRemembering = false
  fileprivate final var remembered: Value?
  /// Whether the part was missing after the last commit, so that a value counts as new.
  private final var wasMissing = false

  init(_ path: StatePath, in storage: StateNode, equality: Equality<Value>?) {
    self.equality = equality
    super.init(path, in: storage)
  }

  override final var isComparable: Bool { equality != nil }

  func read() -> Value { fatalError("A subclass of TypedPart must override read().") }

  /// Passes on the value that the commit being delivered has made, if it changed this part.
  final func change(_ receive: (Value) -> Void) {
    guard telling != 0 else { return }
    if live == telling {
      receive(read())
    } else if let box = storage.transaction.box(of: self, in: telling) as? Box<Value> {
      receive(box.value)
    }
  }

  final func value(_ point: ReadPoint) -> Value {
    if case .commit = point,
      let box = storage.transaction.box(of: self, in: storage.transaction.delivering) as? Box<Value>
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
      its changes can wait until it exists. includingCurrent(), removeDuplicates() and \
      combineLatest need a value from the start. Observe the property that contains it, and use map.
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
  var keepsValue: Bool { equality != nil }

  override final func differs() -> Bool {
    guard isRemembering else { return false }
    isRemembering = false
    // Taken, not overwritten, because the release of the old value may run code that calls back.
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

  override final func baseline() -> @MainActor () -> Bool {
    guard isThere else { return super.baseline() }
    let before = read()
    return { [self] in
      guard isThere else { return false }
      guard let equality else { return true }
      let now = read()
      let isEqual = storage.reading { equality.areEqual(before, now) }
      storage.discard(now)
      return !isEqual
    }
  }
}

/// A stored property, which is read at its address without its key path.
final class StoredPart<Value>: TypedPart<Value> {
  override func read() -> Value {
    storage.checkRead()
    // `MemoryLayout` gave the offset of a value of exactly this type.
    return unsafe (storage.address + range.lower)
      .assumingMemoryBound(to: Value.self).pointee
  }
}

/// A property that is read through its key path, or one of a state without a fixed address.
// While an element or the value behind `!` is missing, its watchers are not notified, and a read
// gives its last value. So does a part of a state that is gone.
final class ComputedPart<State, Value>: TypedPart<Value> {
  private let state: StateStorage<State>
  private let keyPath: KeyPath<State, Value>
  /// Set only if the part may be missing.
  private let shape: KeyPathShape?

  init(
    _ keyPath: KeyPath<State, Value>, _ path: StatePath, of state: StateStorage<State>,
    equality: Equality<Value>?
  ) {
    self.state = state
    self.keyPath = keyPath
    let shape = path.hasRange ? nil : KeyPathShape(keyPath)
    if shape?.hidesItsEnd == true { path.trapHidden() }
    self.shape = shape?.mayBeMissing == true ? shape : nil
    super.init(path, in: state.home, equality: equality)
  }

  override var isThere: Bool { if let shape { state.isThere(shape) } else { true } }

  override var keepsValue: Bool { super.keepsValue || shape != nil }

  override func read() -> Value {
    storage.checkRead()
    return state.readComputed(keyPath)
  }
}

extension StatePath {
  func trapHidden() -> Never {
    fatalError(
      """
      \(text) cannot be observed: it has a range of an array, or it has an index or `!` behind \
      a computed property, a subscript or an object, so nothing can tell whether it leads to a \
      value. Observe the part before that, and use map.
      """)
  }
}

/// A value that is no longer in the state and is still to be delivered.
private final class Box<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}
