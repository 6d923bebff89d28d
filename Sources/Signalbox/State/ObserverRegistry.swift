/// Who observes which part of a state, and what a change has to do.
///
///     change ──▶ no observer ────────────────────────────────▶ the change itself, nothing else
///           └──▶ remember what must be compared ──▶ the change ──▶ conclude
///                                                                     │
///             in a batch: note the write, conclude at its end ◀───────┤
///             which nodes has it changed? ──▶ deliver, or queue ◀─────┘
///
/// The state is changed where it lies and never copied for comparison with an earlier one as a
/// whole; each node remembers at most its own part (M2, S10).
///
/// Code of the user's runs when a value is compared, computed, delivered or released, and may come
/// back here. While values are compared or computed, the state can be read and not written. No
/// value is released before all of a change's bookkeeping is done: until then it is in `discarded`.
@MainActor @safe @usableFromInline class ObserverRegistry {
  /// Zero when a change concerns no observer and no other access is in progress.
  @safe @exclusivity(unchecked) @usableFromInline final var flags: UInt8 = 0
  /// The state is being changed in place.
  @usableFromInline static var held: UInt8 { 1 }
  @usableFromInline static var watched: UInt8 { 2 }
  /// More is to be done for a change than to tell the watchers of one part.
  private static var special: UInt8 { 4 }
  /// A comparison or a getter runs, which must not write.
  @usableFromInline static var readOnly: UInt8 { 8 }
  /// Something waits for the end of a change in place.
  @usableFromInline static var postponed: UInt8 { 16 }

  /// Who is changing the state in place: only compared, and valid while `held` is set.
  @safe @exclusivity(unchecked) @usableFromInline
  final unowned(unsafe) var holder: AnyObject?
  /// Not zero while a log may have to be told of the store.
  ///
  /// Read where it lies: a write tests this byte and calls nothing.
  @usableFromInline final let listening: UnsafePointer<UInt8>

  /// Where the state lies.
  final let base: UnsafeRawPointer
  @safe @exclusivity(unchecked) private(set) final var parts = PartIndex()
  private(set) final var isClosed = false
  /// The commit that is being delivered; zero: none.
  @safe @exclusivity(unchecked) final var delivering = 0
  /// How many commits there were.
  @safe @exclusivity(unchecked) final var commits = 0
  /// How many are yet to be delivered to the end.
  @safe @exclusivity(unchecked) final var inFlight = 0
  /// Those of them that have something to keep.
  @safe @exclusivity(unchecked) final var pending: [Int: Commit] = [:]
  /// Those of them about which someone may ask for parts that they have not changed (S7).
  @safe @exclusivity(unchecked) final var composite: ArraySlice<Int> = []
  /// How far the commit being delivered has got in the order of subscriptions.
  @safe @exclusivity(unchecked) final var reached: UInt64 = 0
  final var batch: Batch? { didSet { updateFlags() } }
  /// Values that are no longer needed and are released when the bookkeeping is done.
  @safe @exclusivity(unchecked) final var discarded: [Any] = []
  final var isReleasing = false
  private final var isChangingNodes = false
  /// What waits for the end of a change in place.
  final var postponed: [@MainActor () -> Void] = []

  init(base: UnsafeRawPointer, listening: UnsafePointer<UInt8>) {
    unsafe self.base = base
    unsafe self.listening = listening
  }

  /// Whether a write has nothing to do but to write.
  @inlinable @inline(__always) final var isQuiet: Bool {
    unsafe flags == 0 && listening.pointee == 0
  }

  /// Whether every change is reported, with the state before and after.
  @safe @exclusivity(unchecked) final var isRecording = false {
    didSet {
      if isRecording == oldValue { return }
      dropRecord()
      updateFlags()
    }
  }

  // What only the model can do, which knows the type of the state.
  func keepForRecord() {}
  func dropRecord() {}
  /// Whether the change under way is to be recorded; compares the state if it may be none.
  func wantsRecord(_ isChange: Bool) -> Bool { false }
  func record(by writer: any Writer, in context: Propagation.Context) -> Propagation.Cause? { nil }
  func loopWasStopped(_ chain: [String], in context: Propagation.Context) {}
  /// Lets a log that has been switched on begin, which may run code of the user's.
  @usableFromInline func lookForListeners() {}

  // MARK: - Nodes

  final func list(_ part: ObservedPart) {
    if !part.path.hasRange { part.remember() }
    changeNodes(part.path) { parts.insert(part) }
    updateFlags()
  }

  /// The listed node of a place.
  final func findNode(_ path: StatePath) -> ObservedPart? {
    guard !path.hasRange else { return parts.find(path) }
    checkHash()
    // In a copy, which no code of the user's can change.
    let parts = parts
    return parts.find(path)
  }

  /// The index of a key path is hashed and compared by code of the user's, in the middle of a
  /// change of the list.
  private final func changeNodes(_ path: StatePath, _ body: () -> Void) {
    guard !path.hasRange else { return body() }
    checkHash()
    isChangingNodes = true
    body()
    isChangingNodes = false
  }

  private final func checkHash() {
    guard isChangingNodes else { return }
    fatalError(
      """
      A subscription began or ended in `hash(into:)` or `==` of an index in a key path. Both must \
      only look at their values.
      """)
  }

  final func unlist(_ part: ObservedPart) {
    changeNodes(part.path) { parts.remove(part) }
    part.forget()
    updateFlags()
    releaseDiscarded()
  }

  private final func updateFlags() {
    flags &= Self.held | Self.readOnly | Self.postponed
    if !parts.isEmpty || isRecording { flags |= Self.watched }
    if flags & Self.watched != 0, parts.hasComputed || isRecording || batch != nil {
      flags |= Self.special
    }
  }

  // MARK: - Changing

  /// Before a change in place, if the model is not quiet.
  ///
  /// - Returns: where the observed parts of the place begin, for `didChange`; -1 if no one is to be
  ///   told.
  @usableFromInline final func beginInPlace(_ range: ByteRange, by writer: any Writer) -> Int {
    // Not before the writer is asked for its model, as elsewhere: that would cost each change in
    // place a quarter more.
    meetListeners()
    if flags == Self.watched, inFlight == 0, let index = parts.recentIndex(of: range) {
      return index
    }
    checkWrite()
    guard flags & Self.watched != 0 else { return -1 }
    let index = willChange(range, isCertain: range.hasRange)
    checkIsCurrent(writer)
    return index
  }

  /// - Parameters:
  ///   - extent: what may change: without a range, anything.
  ///   - isCertain: whether the place counts as changed, or must be compared as its parts.
  @discardableResult
  final func willChange(_ range: ByteRange, isCertain: Bool) -> Int {
    if isRecording { keepForRecord() }
    if inFlight > 0 { keepUntold(range) }
    guard let batch else { return remember(range, isCertain: isCertain) }
    batch.rememberForLatecomers(range)
    return batch.rewound(within: range) { remember(range, isCertain: isCertain) }
  }

  private final func remember(_ range: ByteRange, isCertain: Bool) -> Int {
    guard range.hasRange else {
      for part in parts.ranged { part.remember() }
      return 0
    }
    let within = parts.indices(within: range)
    for index in within where !isCertain || parts.mayBePart(index, of: range) {
      parts.ranged[index].remember()
    }
    if within.count == 1, !parts.mayBePart(within.lowerBound, of: range) {
      parts.noteRecent(range, at: within.lowerBound)
    }
    return within.lowerBound
  }

  /// Whether parts of a place, or what is computed, may differ where the place itself is equal.
  final func concernsParts(of range: ByteRange) -> Bool {
    parts.hasComputed || batch != nil
      || parts.indices(within: range).contains { parts.mayBePart($0, of: range) }
  }

  /// Forgets what was remembered for a change that is not carried out here.
  final func willNotChange() {
    // In a batch, what is remembered is of before the batch, and other changes need it.
    guard batch == nil else { return }
    for part in parts.ranged { part.forget() }
    dropRecord()
  }

  /// What earlier commits are yet to tell must not be lost.
  private final func keepUntold(_ range: ByteRange) {
    if !composite.isEmpty {
      for part in parts.computed { keepUntold(part) }
    }
    guard range.hasRange else {
      for part in parts.ranged { keepUntold(part) }
      return
    }
    for part in parts.within(range) { keepUntold(part) }
    for part in parts.around(range) { keepUntold(part) }
  }

  private final func keepUntold(_ part: ObservedPart) {
    let live = part.live
    part.live = 0
    if live != 0, mustKeep(part, for: live) { pendingCommit(live).keep(part.boxed(), for: part) }
    guard part.hasComposites else { return }
    // The earlier ones have kept it when it changed before.
    for id in composite.reversed().prefix(while: { $0 > part.keptFor })
    where mustKeep(part, for: id) {
      let commit = pendingCommit(id)
      if commit.box(of: part) == nil { commit.keep(part.boxed(), for: part) }
    }
    part.keptFor = commits
  }

  /// Whether somebody is yet to be told of a commit who watches a part.
  private final func mustKeep(_ part: ObservedPart, for commit: Int) -> Bool {
    commit != delivering || part.watchers.lastOrder >= reached
  }

  private final func pendingCommit(_ id: Int) -> Commit {
    if let commit = pending[id] { return commit }
    let commit = Commit(id)
    pending[id] = commit
    return commit
  }

  /// The value that a commit has kept for a part that has changed since.
  final func box(of part: ObservedPart, in id: Int) -> AnyObject? {
    pending[id]?.box(of: part)
  }

  /// After a change in place, if there was a `beginInPlace` before it: the common case, that it
  /// concerns one part and nothing is under way.
  ///
  /// No more is done here than has to be.
  ///
  /// - Returns: whether that was the case; if not, `didChange` is to follow.
  @usableFromInline final func tellOnly(_ index: Int, at range: ByteRange) -> Bool {
    guard flags == Self.watched, !Propagation.isDelivering,
      let part = parts.only(index, at: range)
    else { return false }
    tell(only: part)
    return true
  }

  /// After a change in place, if there was a `beginInPlace` before it.
  @usableFromInline final func didChange(_ path: StatePath, by writer: any Writer) {
    didChange(Write(path, path.hasRange ? .counts : .open), by: writer)
  }

  /// The change in place left an equal value: only what `==` passes over may differ (S6).
  @usableFromInline final func didNotChange(_ path: StatePath, by writer: any Writer) {
    didChange(Write(path, path.hasRange ? .parts : .open), by: writer)
  }

  /// After any other change.
  final func didChange(_ write: Write, by writer: any Writer) {
    if let batch {
      // The index of a key path is hashed and compared by code of the user's.
      reading { batch.note(write) }
    } else {
      conclude(write, by: writer)
      releaseDiscarded()
    }
  }

  final func batch<R>(by writer: any Writer, _ body: () throws -> R) rethrows -> R {
    checkWrite()
    let isOutermost = batch == nil
    if isOutermost { batch = Batch(writer: writer) }
    defer {
      if isOutermost, let finished = batch.take() {
        conclude(finished)
        releaseDiscarded()
      }
    }
    return try body()
  }

  // MARK: - The end

  /// Finishes all signals of the state, after what was told before.
  ///
  /// The state stays readable.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    isRecording = false
    Propagation.send {
      let old = self.parts
      self.parts = PartIndex()
      let watchers = old.all.flatMap { $0.watchers.removeAll() }
      for part in old.all { part.forget() }
      self.updateFlags()
      for watcher in watchers.sorted(by: { $0.order < $1.order }) { watcher.receiveFinish() }
      withExtendedLifetime(old) {}
      self.releaseDiscarded()
    }
  }
}
