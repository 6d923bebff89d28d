/// An observed part of a state, with its watchers.
// Not generic, because the metadata look-ups of unspecialised code cost more than the search.
@MainActor class ObservedPart: Watchable, Delivering {
  final let path: StatePath
  final let range: ByteRange
  final let storage: StateNode
  @safe @exclusivity(unchecked) final var receivers = OrderedList<Watcher>()
  private final var composites = 0
  private final var trackers = 0

  /// Its number among the parts without a range.
  final var number: UInt64 = 0
  /// The last commit that changed this part; zero once delivered or once its value left the state.
  @safe @exclusivity(unchecked) final var live = 0
  /// The commit being delivered, if it changed this part, or zero.
  @safe @exclusivity(unchecked) final var telling = 0
  /// All commits up to this one have kept what they still need of this part.
  final var keptFor = 0
  /// Whether only the watchers of this part have to be notified of its changes.
  @safe @exclusivity(unchecked) private(set) final var isAlone = false
  /// Whether no other observed part lies within this one or around it.
  final var isSeparate = false { didSet { updateIsAlone() } }
  private(set) final var dependents: [any DependentPart] = [] { didSet { updateIsAlone() } }
  /// Whether the state went together with a change of this part.
  private final var isLost = false

  init(_ path: StatePath, in storage: StateNode) {
    self.path = path
    range = path.range
    self.storage = storage
  }

  /// Whether this part, which lies within a range, may be only a part of the value in that range.
  final func mayBePart(of other: ByteRange) -> Bool {
    range.size < other.size || range.type != other.type
  }

  /// Whether one of the watchers reads other parts of the state as well.
  final var hasComposites: Bool { composites > 0 }

  final var hasTrackers: Bool { trackers > 0 }

  /// Notifies the watchers of a change that concerns this part only.
  // A function of its own, because in it neither the part nor its storage has to be retained.
  @inline(never) final func tellAlone() {
    // Watchers may cut a state within another one off from its transaction.
    if storage.outer == nil {
      storage.withTransaction { $0.tell(only: self) }
    } else {
      storage.transaction.tell(only: self)
    }
  }

  final var commits: ObjectIdentifier { ObjectIdentifier(storage.transaction) }
  final var isFinished: Bool { storage.isClosed }

  final func add(_ watcher: Watcher) {
    storage.checkAct()
    if receivers.isEmpty { list() }
    if watcher.isComposite { requireValue() }
    receivers.add(watcher, order: watcher.order)
    if watcher.isComposite { composites += 1 }
    if watcher.isTracker { trackers += 1 }
    storage.transaction.batch?.add(watcher, of: self)
  }

  final func remove(_ watcher: Watcher, isComposite: Bool) {
    storage.checkIsNotReading()
    guard receivers.remove(order: watcher.order) != nil else { return }
    if isComposite { composites -= 1 }
    if watcher.isTracker { trackers -= 1 }
    if isInUse { return }
    unlist()
    storage.transaction.releaseDiscarded()
  }

  final var isInUse: Bool { !receivers.isEmpty || !dependents.isEmpty }

  private final func updateIsAlone() { isAlone = isSeparate && dependents.isEmpty }

  final func add(dependent: any DependentPart) {
    list()
    dependents.append(dependent)
  }

  /// Removes a dependent in the middle of a change, so nothing is released.
  final func remove(dependent: any DependentPart) {
    guard let index = dependents.firstIndex(where: { $0 === dependent }) else { return }
    dependents.remove(at: index)
    if !isInUse { unlist() }
  }

  /// Begins to consider this part in changes of the state, before it is used.
  func list() { if !isInUse { storage.list(self) } }

  func unlist() { storage.unlist(self) }

  /// This part, or the one with the same path that is listed.
  var listed: ObservedPart { storage.reading { storage.parts.find(path) } ?? self }

  /// A number that changes with the value of a dependent part.
  var version: Int { 0 }

  /// Whether the value is that of a version, which was read after a number of writes of the batch.
  func isSame(as version: Int, after writes: Int) -> Bool {
    storage.transaction.batch?.mayHaveChanged(self, since: writes) != true
  }

  /// Notes where the value comes from, for the redaction of texts (D6).
  func addOrigins(to attachment: Attachment) {
    // A property of a part of the state has no key path from here, so all of the state counts.
    let keyPath = path.prefix == nil ? path.keyPath : storage.wholePath.keyPath
    attachment.add(keyPath, of: storage, storage.anyDelegate?.origin)
  }

  /// Whether a watcher may not have been notified of a change yet.
  final var isUntold: Bool {
    let transaction = storage.transaction
    if live != 0 || telling != 0 || isLost || storage.flags & StateNode.held != 0 {
      return true
    }
    if let batch = transaction.batch { return batch.mayConcern(path, in: storage) }
    return transaction.pending.values.contains { $0.concerns(self) }
  }

  /// Notes a change of which no watcher is notified, because the state has gone with it.
  // Nor are they notified of earlier changes, because the signals of the state have ended (C4).
  final func lose() {
    if live != 0 { (live, isLost) = (0, true) }
    if isThere, differs() { isLost = true }
  }

  var isThere: Bool { true }

  /// Traps if the part has no value and keeps no earlier one.
  func requireValue() {}

  var isComparable: Bool { false }

  /// Keeps the value from before a change for a comparison.
  func remember() {}

  /// Tells whether the value differs from the kept one, and drops the kept one.
  func differs() -> Bool { false }

  func forget() {}

  /// Drops what nothing needs after the end of the state.
  func close() { forget() }

  /// Tells whether the value differs from the kept one, and keeps the current one instead.
  func advance() -> Bool { false }

  /// The same, but after a silent change, only a comparison can find a difference (S6).
  final func advance(isSilent: Bool) -> Bool { advance() && (isComparable || !isSilent) }

  /// The current value, for a commit that is delivered when the value is no longer in the state.
  func boxed() -> AnyObject { self }

  /// Keeps the current value; the result tells whether a later one differs.
  func baseline() -> @MainActor () -> Bool { { true } }
}
