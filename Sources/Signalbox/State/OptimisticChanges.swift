/// The truth of an outermost state, and the changes that are shown on top of it (O3).
///
///     shown     memory: truth + changes    truth: kept here
///     open      memory: truth              truth: –             a write changes the memory
///     looking   memory: truth              shown: kept here     something reads the truth
///
/// Each write opens the truth, and shows it with the changes at its end. So no code that writes
/// knows of the changes, and all reads and observers find the state that is shown. The transaction
/// has this object only while something is pending (O6).
@MainActor class OptimisticChanges {
  private enum Stage { case shown, open, looking }

  /// The outermost state, whose transaction has this object.
  unowned let root: StateNode
  private var stage = Stage.shown
  private var changes: [TentativeChange] = []

  init(_ root: StateNode) { self.root = root }

  var count: Int { changes.count }

  // `TypedOptimisticChanges`, which knows the type of the state, overrides the following members.
  /// Keeps the state in memory as the truth.
  func keepTruth() {}
  /// Moves the truth into the memory, and releases what was shown.
  func openTruth() {}
  /// Exchanges the truth with the state in memory.
  func exchange() {}
  /// Keeps what a change removes from the truth in memory until everything else is done.
  func keepRemoved() {}

  var isShown: Bool { if case .shown = stage { true } else { false } }

  func withTruth<Result>(_ body: () -> Result) -> Result {
    guard case .shown = stage else { return body() }
    exchange()
    stage = .looking
    defer {
      exchange()
      stage = .shown
    }
    return body()
  }

  /// Prepares a write in some states, which is compared as an `update` is.
  func willChange(in nodes: [StateNode]) {
    guard case .shown = stage else { return }
    root.prepareChange(root.wholePath.range, isCertain: false)
    // Later than the collections that are kept from here on (C6).
    for node in nodes { node.noteOwnChange() }
    stage = .open
    // What was shown is released before the write, which would copy what it shares with the truth.
    // This may release an object that only a change has made, whose `deinit` must not write.
    root.reading { openTruth() }
  }

  func didChange(by writer: any Writer) {
    show()
    root.noteChange(Write(root.wholePath, .open), by: writer)
  }

  /// Applies the changes to the truth, unless no write has changed it.
  func show() {
    guard case .open = stage else { return }
    keepTruth()
    stage = .looking
    // The changes must not access the store (O5). What waits for the end of the write goes on waiting.
    root.hold(self)
    for change in changes { change.apply() }
    root.flags &= ~StateNode.held
    stage = .shown
  }

  func add(_ change: TentativeChange, by writer: any Writer) {
    commit([change], by: writer) { changes.append(change) }
  }

  /// Removes changes in one commit, which a body may first make a part of the truth.
  func remove(_ ended: [TentativeChange], by writer: any Writer, _ body: (() -> Void)?) {
    commit(ended, by: writer) {
      if let body {
        keepRemoved()
        body()
      }
      changes.removeAll { change in ended.contains { $0 === change } }
    }
  }

  /// Makes what is shown the state, but not before the end of a batch or of a change in place.
  // Until then, a save needs the truth, and what is changed is shown with the changes.
  func storeHasEnded() {
    root.transaction.whenWhole { [root] in
      let changes = Swift.exchange(&self.changes, with: [])
      self.endIfEmpty(in: root.transaction)
      for change in changes { change.release() }
    }
  }

  private func commit(
    _ concerned: [TentativeChange], by writer: any Writer, _ body: () -> Void
  ) {
    // Kept, because observers may release it.
    let (root, transaction) = (root, root.transaction)
    root.checkAct()
    willChange(in: concerned.map { $0.node.home })
    transaction.isComparing = true
    root.hold(self)
    body()
    root.release()
    transaction.isComparing = false
    root.didChange(Write(root.wholePath, .open), by: writer)
    transaction.runPostponedIfReleased()
    transaction.whenWhole { self.endIfEmpty(in: transaction) }
    withExtendedLifetime(root) {}
  }

  private func endIfEmpty(in transaction: Transaction) {
    guard changes.isEmpty, transaction.optimistic === self else { return }
    transaction.optimistic = nil
    transaction.releaseDiscarded()
  }
}

/// The truth of a state whose type is known.
final class TypedOptimisticChanges<State>: OptimisticChanges {
  private unowned let storage: StateStorage<State>
  private var truth: State?

  init(_ storage: StateStorage<State>) {
    self.storage = storage
    super.init(storage)
    keepTruth()
  }

  override func keepTruth() { truth = unsafe storage.memory.pointee }

  override func openTruth() {
    exchange()
    truth = nil
  }

  override func exchange() {
    guard var other = truth.take() else { return }
    unsafe swap(&other, &storage.memory.pointee)
    truth = other
  }

  override func keepRemoved() { unsafe storage.discard(storage.memory.pointee) }
}

extension StateNode {
  /// Runs a body while the memory has the truth (O3).
  func inTruth<Result>(_ body: () -> Result) -> Result {
    guard let changes = transaction.optimistic else { return body() }
    return changes.withTruth(body)
  }

  func readingTruth<Result>(_ body: () -> Result) -> Result { inTruth { reading(body) } }
}

extension StateStorage {
  /// Applies a change, which is user code that must not use the store (O5), if the state is there.
  func apply(_ change: (inout State) -> Void) {
    if isPresent { reading { change(&projected) } }
  }

  /// Whether a write finds a part, which must be in the truth for that (O3).
  func isInTruth(_ shape: KeyPathShape) -> Bool { isPresent && readingTruth { isThere(shape) } }

  /// Whether an index on the way leads to another element in the truth, by its `id`.
  func isElsewhereInTruth(_ shape: KeyPathShape) -> Bool {
    guard transaction.optimistic != nil, isThere(shape) else { return false }
    return reading { ids(on: shape) } != readingTruth { ids(on: shape) }
  }

  private func ids(on shape: KeyPathShape) -> [AnyHashable?] {
    var ids: [AnyHashable?] = []
    _ = unsafe withUnsafePointer(to: current) { state in
      unsafe shape.isThere(in: UnsafeRawPointer(state)) { element, type in
        func id<E: Identifiable>(_: E.Type) -> AnyHashable {
          unsafe AnyHashable(element.assumingMemoryBound(to: E.self).pointee.id)
        }
        ids.append((type as? any Identifiable.Type).map { id($0) })
      }
    }
    return ids
  }

  var truth: State { inTruth { current } }

  func assignTruth<T>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, _ path: StatePath, isForced: Bool,
    by writer: any Writer
  ) {
    var value = value
    // Exchanged, so that the old value is released when everything else is done.
    func assign() { update(by: writer) { swap(&value, &$0[keyPath: keyPath]) } }
    if isForced {
      transaction.batch(by: writer) {
        assign()
        let write = Write(path)
        write.countsOutwards = true
        write.move(to: home, by: prefix)
        reading { transaction.batch?.note(write) }
      }
    } else {
      assign()
    }
    withExtendedLifetime(value) {}
  }
}
