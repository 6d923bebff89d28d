/// An observed part of a state: who watches it, and what they are told.
///
/// The routing knows nothing of types: generic code that is not specialised looks up metadata at
/// every turn, which costs more than all of the routing.
@MainActor class ObservedPart: Watchable {
  final let path: StatePath
  final let range: ByteRange
  final let storage: ObserverRegistry
  /// Whether it is the state as a whole, which a change of whatever part changes.
  final let isWhole: Bool
  @safe @exclusivity(unchecked) final var watchers = OrderedList<Watcher>()
  private final var composites = 0
  private final var trackers = 0

  /// Its number in the list of nodes without a range.
  final var number: UInt64 = 0
  /// The commit that changed this part last, while the state still holds what it made of it and
  /// it is yet to be told; else zero.
  @safe @exclusivity(unchecked) final var live = 0
  /// The commit being delivered, if it changed this part; else zero.
  @safe @exclusivity(unchecked) final var telling = 0
  /// The commits up to this one have kept the value that they are to tell.
  final var keptFor = 0
  /// Whether no other observed part lies within this one or around it.
  final var isAlone = false

  init(_ path: StatePath, isWhole: Bool, in storage: ObserverRegistry) {
    self.path = path
    range = path.range
    self.isWhole = isWhole
    self.storage = storage
  }

  /// Whether someone will ask for other parts of the state beside this one.
  final var hasComposites: Bool { composites > 0 }

  /// Whether the Observation framework is to be told of changes.
  final var hasTrackers: Bool { trackers > 0 }

  final var commits: ObjectIdentifier { ObjectIdentifier(storage) }
  final var isFinished: Bool { storage.isClosed }

  final func add(_ watcher: Watcher) {
    storage.checkRead()
    if watchers.isEmpty { storage.list(self) }
    if watcher.isComposite { requireValue() }
    watchers.append(watcher, order: watcher.order)
    if watcher.isComposite { composites += 1 }
    if watcher.isTracker { trackers += 1 }
    storage.batch?.add(watcher, of: self)
  }

  final func remove(_ watcher: Watcher) {
    guard watchers.remove(order: watcher.order) != nil else { return }
    if watcher.isComposite { composites -= 1 }
    if watcher.isTracker { trackers -= 1 }
    if watchers.isEmpty { storage.unlist(self) }
  }

  /// Whether there is a value now.
  var isThere: Bool { true }

  /// Traps if there is no value, and was none.
  func requireValue() {}

  /// Whether its values are compared.
  var isComparable: Bool { false }

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

  /// The value of now, to be compared with a later one.
  func baseline() -> Baseline { Baseline() }
}

/// The value that a part had at some time.
@MainActor class Baseline {
  /// Whether the part has another value now.
  var differs: Bool { true }
}
