/// Who observes which part of a state, and what a change has to do.
///
///     change ──▶ nobody observes ────────────────────────────▶ the change itself, nothing else
///           └──▶ remember what must be compared ──▶ the change ──▶ conclude
///                                                                     │
///             in a batch: note the write, conclude at its end ◀───────┤
///             which nodes has it changed? ──▶ deliver, or queue ◀─────┘
///
/// The state is changed where it lies and never copied for comparison with an earlier one as a
/// whole; each node remembers at most its own part (M2, S10).
@MainActor @safe @usableFromInline class Observers {
  /// Zero when a change concerns nobody and nobody else is changing.
  @safe @exclusivity(unchecked) @usableFromInline final var flags: UInt8 = 0
  @usableFromInline static var held: UInt8 { 1 }
  @usableFromInline static var watched: UInt8 { 2 }
  /// More is to be done for a change than to tell the watchers of one part.
  private static var special: UInt8 { 4 }

  /// Where the state lies.
  final let base: UnsafeRawPointer
  @safe @exclusivity(unchecked) private(set) final var nodes = NodeList()
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
  @safe @exclusivity(unchecked) final var composite: [Int] = []
  /// How far the commit being delivered has got in the order of subscriptions.
  @safe @exclusivity(unchecked) final var reached: UInt64 = 0
  final var batch: Batch? { didSet { updateFlags() } }

  init(base: UnsafeRawPointer) { unsafe self.base = base }

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
  func record(_ isChange: Bool, by writer: any Writer, in context: Propagation.Context)
    -> Propagation.Cause??
  { nil }
  func loopWasStopped(_ chain: [String], in context: Propagation.Context) {}

  // MARK: - Nodes

  final func list(_ node: Node) {
    if flags & Self.held != 0 { trapHeld() }
    if !node.place.hasRange { node.remember() }
    nodes.insert(node)
    updateFlags()
  }

  final func unlist(_ node: Node) {
    nodes.remove(node)
    updateFlags()
  }

  final func isPart(_ index: Int, of place: Place) -> Bool { nodes.isPart(index, of: place) }

  private final func updateFlags() {
    flags &= Self.held
    if !nodes.isEmpty || isRecording { flags |= Self.watched }
    if flags & Self.watched != 0, !nodes.computed.isEmpty || isRecording || batch != nil {
      flags |= Self.special
    }
  }

  @usableFromInline final func trapHeld() -> Never {
    // Not `preconditionFailure`, which says nothing in a release build.
    fatalError(
      """
      The store was touched while its state is being changed in place: inside the body of \
      `update`, or in an argument of a mutating call on one of its properties. Read what you need \
      before, or use `batch` in place of `update`.
      """)
  }

  // MARK: - Changing

  @inlinable @inline(__always) final func hold() { flags |= Self.held }
  @inlinable @inline(__always) final func release() { flags &= ~Self.held }

  /// Before a change in place, if `flags` is not zero.
  ///
  /// - Returns: where the observed parts of the place begin, for `didChange`.
  @usableFromInline final func beginInPlace(_ extent: Extent) -> Int {
    if flags == Self.watched, inFlight == 0, let index = nodes.recentIndex(of: extent) {
      return index
    }
    if flags & Self.held != 0 { trapHeld() }
    return willChange(extent, isCertain: extent.hasRange || batch == nil)
  }

  /// - Parameter isCertain: whether the place counts as changed, or must be compared as its parts.
  @discardableResult
  final func willChange(_ extent: Extent, isCertain: Bool = true) -> Int {
    if isRecording { keepForRecord() }
    if inFlight > 0 { keepUntold(extent) }
    if let batch {
      return batch.rewound(within: extent) { remember(extent, isCertain: isCertain) }
    }
    return remember(extent, isCertain: isCertain)
  }

  private final func remember(_ extent: Extent, isCertain: Bool) -> Int {
    guard extent.hasRange else {
      for node in nodes.ranged where !(isCertain && node.isWhole) { node.remember() }
      return 0
    }
    let within = nodes.indices(within: extent)
    for index in within where !isCertain || nodes.mayBePart(index, of: extent) {
      nodes.ranged[index].remember()
    }
    if within.count == 1, !nodes.mayBePart(within.lowerBound, of: extent) {
      nodes.noteRecent(extent, at: within.lowerBound)
    }
    return within.lowerBound
  }

  /// What earlier commits are yet to tell must not be lost.
  private final func keepUntold(_ extent: Extent) {
    if !composite.isEmpty {
      for node in nodes.computed { keepUntold(node) }
    }
    guard extent.hasRange else {
      for node in nodes.ranged { keepUntold(node) }
      return
    }
    let within = nodes.indices(within: extent)
    for index in within { keepUntold(nodes.ranged[index]) }
    var around = nodes.index(around: extent, startingAt: within.lowerBound)
    while let index = around {
      keepUntold(nodes.ranged[index])
      around = nodes.index(around: index)
    }
  }

  private final func keepUntold(_ node: Node) {
    let live = node.live
    node.live = 0
    if live != 0, mustKeep(node, for: live) { pendingCommit(live).keep(node.boxed(), for: node) }
    guard node.hasComposites else { return }
    // The earlier ones have kept it when it changed before.
    for id in composite.reversed().prefix(while: { $0 > node.keptFor })
    where mustKeep(node, for: id) {
      let commit = pendingCommit(id)
      if commit.box(of: node) == nil { commit.keep(node.boxed(), for: node) }
    }
    node.keptFor = commits
  }

  /// Whether somebody is yet to be told of a commit who watches a part.
  private final func mustKeep(_ node: Node, for commit: Int) -> Bool {
    commit != delivering || node.watchers.lastOrder >= reached
  }

  private final func pendingCommit(_ id: Int) -> Commit {
    if let commit = pending[id] { return commit }
    let commit = Commit(id)
    pending[id] = commit
    return commit
  }

  /// The value that a commit has kept for a part that has changed since.
  final func box(of node: Node, in id: Int) -> AnyObject? {
    pending[id]?.box(of: node)
  }

  /// After a change in place, if there was a `beginInPlace` before it: the common case, that it
  /// concerns one part and nothing is under way.
  ///
  /// No more is done here than has to be.
  ///
  /// - Returns: whether that was the case; if not, `didChange` is to follow.
  @usableFromInline final func tellOnly(_ index: Int, at extent: Extent) -> Bool {
    guard flags == Self.watched, !Propagation.isDelivering,
      let node = nodes.only(index, at: extent)
    else { return false }
    tell(only: node)
    return true
  }

  /// After a change in place, if there was a `beginInPlace` before it.
  @usableFromInline final func didChange(_ place: Place, by writer: any Writer) {
    if let batch { batch.note(Write(place)) } else { conclude(place, by: writer) }
  }

  /// The change in place left an equal value: only what `==` passes over may differ (S6).
  @usableFromInline final func didNotChange(_ place: Place, by writer: any Writer) {
    didChange(Write(place, .parts), by: writer)
  }

  /// After any other change.
  final func didChange(_ write: Write, by writer: any Writer) {
    if let batch {
      batch.note(write)
    } else {
      conclude(write.place, isCertain: write.stands, by: writer)
    }
  }

  final func batch<R>(by writer: any Writer, _ body: () throws -> R) rethrows -> R {
    if flags & Self.held != 0 { trapHeld() }
    let isOutermost = batch == nil
    if isOutermost { batch = Batch(writer: writer) }
    defer { if isOutermost, let finished = batch.take() { conclude(finished) } }
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
      let watchers = (self.nodes.ranged + self.nodes.computed).flatMap { $0.watchers.removeAll() }
      self.nodes = NodeList()
      self.updateFlags()
      for watcher in watchers.sorted(by: { $0.order < $1.order }) { watcher.receiveFinish() }
    }
  }
}
