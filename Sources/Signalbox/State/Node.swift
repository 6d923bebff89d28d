/// An observed part of a state: who watches it, and what they are told.
///
/// The routing knows nothing of types: generic code that is not specialised looks up metadata at
/// every turn, which costs more than all of the routing.
@MainActor class Node: Watchable {
  final let place: Place
  final let extent: Extent
  final let model: Observers
  /// Whether it is the state as a whole, which a change of whatever part changes.
  final let isWhole: Bool
  @safe @exclusivity(unchecked) final var watchers = OrderedList<Watcher>()
  private final var composites = 0
  private final var trackers = 0

  /// The commit that changed this part last, while the state still holds what it made of it and
  /// it is yet to be told; else zero.
  @safe @exclusivity(unchecked) final var live = 0
  /// The commit being delivered, if it changed this part; else zero.
  @safe @exclusivity(unchecked) final var telling = 0
  /// The commits up to this one have kept the value that they are to tell.
  final var keptFor = 0
  /// Whether no other observed part lies within this one or around it.
  final var isAlone = false

  init(_ place: Place, isWhole: Bool, in model: Observers) {
    self.place = place
    extent = place.extent
    self.isWhole = isWhole
    self.model = model
  }

  /// Whether someone will ask for other parts of the state beside this one.
  final var hasComposites: Bool { composites > 0 }

  /// Whether the Observation framework is to be told of changes.
  final var hasTrackers: Bool { trackers > 0 }

  final var commits: ObjectIdentifier { ObjectIdentifier(model) }
  final var isFinished: Bool { model.isClosed }

  final func add(_ watcher: Watcher) {
    if watchers.isEmpty { model.list(self) }
    watchers.append(watcher, order: watcher.order)
    if watcher.isComposite { composites += 1 }
    if watcher.isTracker { trackers += 1 }
  }

  final func remove(_ watcher: Watcher) {
    guard watchers.remove(order: watcher.order) != nil else { return }
    if watcher.isComposite { composites -= 1 }
    if watcher.isTracker { trackers -= 1 }
    if watchers.isEmpty { model.unlist(self) }
  }

  /// Keeps the value of before a change, to compare with.
  func remember() {}

  /// Whether the value differs from the one kept, which is dropped.
  func differs() -> Bool { false }

  /// Drops the value kept.
  func forget() {}

  /// Whether the value differs from the one kept, in place of which it is now kept.
  func advance() -> Bool { false }

  /// The value of now, for a commit that is delivered when it is no longer in the state.
  func boxed() -> AnyObject { self }
}

/// A node that knows the type of its part.
class ValueNode<Value>: Node {
  fileprivate final let equality: Equality<Value>?
  private final var isRemembering = false
  private final var remembered: Value?

  init(_ place: Place, isWhole: Bool, in model: Observers, equality: Equality<Value>?) {
    self.equality = equality
    super.init(place, isWhole: isWhole, in: model)
  }

  /// The value of now.
  func read() -> Value { preconditionFailure("a node reads its own part") }

  /// The value that the commit being delivered has made; nothing if it did not change it.
  final func told(_ receive: (Value) -> Void) {
    guard telling != 0 else { return }
    if live == telling {
      receive(read())
    } else if let box = model.box(of: self, in: telling) as? Box<Value> {
      receive(box.value)
    }
  }

  final func value(_ moment: Moment) -> Value {
    if case .commit = moment, let box = model.box(of: self, in: model.delivering) as? Box<Value> {
      return box.value
    }
    return read()
  }

  override final func boxed() -> AnyObject { Box(read()) }

  override final func remember() {
    guard !isRemembering else { return }
    isRemembering = true
    if equality != nil { remembered = read() }
  }

  override final func differs() -> Bool {
    guard isRemembering else { return false }
    defer { forget() }
    guard let equality, let remembered else { return true }
    return !equality.areEqual(remembered, read())
  }

  override final func forget() {
    isRemembering = false
    remembered = nil
  }

  override final func advance() -> Bool {
    guard let equality else { return true }
    let value = read()
    if let remembered, equality.areEqual(remembered, value) { return false }
    remembered = value
    return true
  }
}

/// A stored property: it is read where it lies, without its key path.
final class StoredNode<Value>: ValueNode<Value> {
  override func read() -> Value {
    // An offset that `MemoryLayout` gives is that of a value of this very type.
    unsafe (model.base + extent.lower)
      .assumingMemoryBound(to: Value.self).pointee
  }
}

/// Any other property: it is asked for by its key path.
final class ComputedNode<State, Value>: ValueNode<Value> {
  private let keyPath: KeyPath<State, Value>

  init(
    _ keyPath: KeyPath<State, Value>, _ place: Place, in model: Observers,
    equality: Equality<Value>?
  ) {
    self.keyPath = keyPath
    super.init(place, isWhole: false, in: model, equality: equality)
  }

  override func read() -> Value {
    // The model that lists a node has its state.
    unsafe model.base.assumingMemoryBound(to: State.self)
      .pointee[keyPath: keyPath]
  }
}

/// A value that has left the state and is yet to be told.
private final class Box<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}
