/// The changes inside the outermost `batch`, evaluated together when it ends.
// Each path is noted once, with its value from before the batch. A later write to a wider path
// replaces the narrower ones, which are put back briefly to find its prior value.
@MainActor final class Batch {
  let writer: any Writer
  /// The writes to paths with a range, at most one for each property of each state.
  private var ranged: [ObjectIdentifier: [Write]] = [:]
  private var lastNumber = 0
  /// The other writes, of which there may be any number.
  private var unranged: [StatePath: Write] = [:]
  private var unrangedInOrder: [Write] = []
  /// Values that no write needs any more, kept so that no `deinit` runs in an incomplete batch.
  private var retired: [PriorValue] = []
  /// The place of the last subscriber that subscribed before the batch began.
  private let limit = Propagation.currentOrder
  private var latecomers: [Latecomer] = []
  private var trackers: [ObjectIdentifier: Latecomer] = [:]

  /// The writes so far, noted only if there are dependents that may be read.
  private(set) var log: [(node: StateNode, path: StatePath)] = []
  /// The dependents that were read after a write.
  var dependents: [any DependentPart] = []

  var endings: [@MainActor () -> Void] = []

  init(writer: any Writer) { self.writer = writer }

  var writes: [Write] {
    ranged.values.flatMap { $0 }.sorted { $0.number < $1.number } + unrangedInOrder
  }

  var isEmpty: Bool { ranged.isEmpty && unranged.isEmpty }

  /// Whether a write may have changed a part, apart from the first `count` ones in the log.
  func mayHaveChanged(_ part: ObservedPart, since count: Int) -> Bool {
    log[count...].contains { write in
      var (node, range) = (write.node, write.path.range)
      while node !== part.storage {
        // A write that is not in the state of the part, or within it, may concern any part.
        guard let outer = node.outer else { return true }
        (node, range) = (outer.node, outer.path.range)
      }
      return range.overlaps(part.range)
    }
  }

  private func ranged(in node: StateNode?) -> [Write] {
    node.flatMap { ranged[ObjectIdentifier($0)] } ?? []
  }

  func covers(_ path: StatePath, in node: StateNode?) -> Bool {
    guard path.hasRange else { return unranged[path] != nil }
    // A write without a range may have changed anything.
    return !unranged.isEmpty || ranged(in: node).contains { $0.covers(path) }
  }

  func mayConcern(_ path: StatePath, in node: StateNode) -> Bool {
    let writes = ranged(in: node)
    // A write in another state may concern any path.
    if !unranged.isEmpty || ranged.count > (writes.isEmpty ? 0 : 1) { return true }
    return writes.contains { write in
      guard write.path.hasRange, path.hasRange else { return true }
      return write.path.range.overlaps(path.range)
    }
  }

  func note(_ write: Write) {
    if let node = write.node, node.transaction.hasDependents { log.append((node, write.path)) }
    if write.counts { countForLatecomers(write) }
    if let same = noted(write) { return combine(same, with: write) }
    guard write.counts || write.isAway || !covers(write.path, in: write.node),
      let node = write.node
    else { return }
    var others = ranged(in: node)
    retired += others.filter { write.covers($0.path) }.compactMap(\.before)
    others.removeAll { write.covers($0.path) && $0.before != nil }
    if write.path.hasRange || write.isAway {
      lastNumber += 1
      write.number = lastNumber
      others.append(write)
    }
    ranged[ObjectIdentifier(node)] = others.isEmpty ? nil : others
    if !write.path.hasRange, !write.isAway {
      unranged[write.path] = write
      unrangedInOrder.append(write)
    }
  }

  private func combine(_ noted: Write, with later: Write) {
    if later.countsOutwards { noted.countsOutwards = true }
    switch (noted.verdict, later.verdict) {
    case (_, .counts):
      if let before = noted.before { retired.append(before) }
      noted.verdict = .counts
    case (.parts, .compares(.some)), (.parts, .open): noted.verdict = later.verdict
    // A later write without a prior value leaves the decision to a wider write.
    case (.parts, .compares(nil)), (.parts, .parts): break
    case (.counts, _), (.compares, _), (.open, _): break
    }
  }

  private func noted(_ write: Write) -> Write? {
    guard write.path.hasRange || write.isAway else { return unranged[write.path] }
    return ranged(in: write.node).first { $0.path == write.path }
  }

  /// Runs a body while everything within a range has its value from before the batch.
  func rewound<Result>(
    within range: ByteRange, in node: StateNode, _ body: () -> Result
  ) -> Result {
    let inner = ranged(in: node).filter { write in
      guard write.before != nil else { return false }
      return !range.hasRange || range.contains(write.path.range)
    }
    for write in inner { write.before?.exchange() }
    defer { for write in inner { write.before?.exchange() } }
    return body()
  }
}

// MARK: - Subscribers that come during a batch

extension Batch {
  /// A watcher that subscribed, or read again, during a batch.
  // It is not notified of earlier changes, so it compares with the value before the next write that
  // concerns it.
  private final class Latecomer {
    let watcher: Watcher
    let part: ObservedPart
    var differs: (@MainActor () -> Bool)?
    /// Whether a write counts without a comparison.
    var isCertain = false

    init(_ watcher: Watcher, _ part: ObservedPart) {
      self.watcher = watcher
      self.part = part
    }
  }

  func add(_ watcher: Watcher, of part: ObservedPart) {
    let latecomer = Latecomer(watcher, part)
    // A tracker is added each time that it reads, which other code may do. The baseline is that of the
    // first read. After a read of another value, it has changed even if the first value comes back.
    if watcher.isTracker {
      if let first = trackers[ObjectIdentifier(watcher)] {
        if first.differs?() == true { first.isCertain = true }
        return
      }
      trackers[ObjectIdentifier(watcher)] = latecomer
    }
    latecomers.append(latecomer)
  }

  /// Keeps the baselines of the latecomers that a write may concern.
  func rememberForLatecomers(_ range: ByteRange, in node: StateNode) {
    // Iterated by index, because a getter that is read for a baseline may add a subscriber.
    var index = 0
    while index < latecomers.count {
      let latecomer = latecomers[index]
      index += 1
      guard latecomer.differs == nil else { continue }
      // A part of a state within this one, or around it, is always considered.
      let isConcerned =
        latecomer.part.storage !== node || range.overlaps(latecomer.part.range)
      guard isConcerned else { continue }
      // A tracker of a stored value needs no baseline, which would make the write copy that value.
      let keepsNone = latecomer.watcher.isTracker && !(latecomer.part is any DependentPart)
      latecomer.differs = keepsNone ? { true } : latecomer.part.baseline()
    }
  }

  private func countForLatecomers(_ write: Write) {
    guard !latecomers.isEmpty else { return }
    let path = write.path
    let range = path.hasRange ? path.range : path.container.path.range
    for latecomer in latecomers where latecomer.part.storage === write.node {
      let part = latecomer.part
      if part.path == path || (part.path.hasRange && part.range.contains(range)) {
        latecomer.isCertain = true
      }
    }
  }

  func addLatecomers(to commit: Commit) {
    guard !latecomers.isEmpty else { return }
    commit.exclude(laterThan: limit)
    for latecomer in latecomers where latecomer.part.isThere {
      guard latecomer.isCertain || latecomer.differs?() == true else { continue }
      commit.add(latecomer.part, for: latecomer.watcher)
    }
  }
}

/// A write to the state that is not delivered yet.
@MainActor final class Write {
  /// How it is decided whether a write has changed its path.
  enum Verdict {
    /// The write counts as a change, and nothing is left to compare.
    case counts
    /// Counts unless the path has its old value again; `nil` leaves that to a wider write.
    case compares(PriorValue?)
    /// The observed parts of the path, and the path itself, are compared.
    case open
    /// The observed parts of the path are compared, and the path itself has not changed.
    case parts
  }

  private(set) var path: StatePath
  fileprivate(set) var verdict: Verdict
  /// The node whose parts the write may change; set when the write is noted.
  private(set) var node: StateNode?
  fileprivate var number = 0
  /// Whether the state counts as changed for the states around it, even if the path does not.
  var countsOutwards = false

  init(_ path: StatePath, _ verdict: Verdict = .counts) {
    self.path = path
    self.verdict = verdict
  }

  func foundChange() { verdict = .counts }

  /// Turns a path of a state into a path of the state that contains it.
  func move(to node: StateNode, by prefix: PathPrefix?) {
    guard self.node == nil else { return }
    self.node = node
    path = path.moved(by: prefix)
  }

  /// Whether the write was made in a state without a fixed address.
  fileprivate var isAway: Bool { node?.outer != nil }

  /// Whether the path counts as changed at the end of the batch.
  var stands: Bool {
    switch verdict {
    case .counts: true
    case .compares(let before): before?.isBack != true
    case .open, .parts: false
    }
  }

  /// Whether the write has left an equal value.
  func isSilent(stands: Bool) -> Bool {
    if case .open = verdict { return false }
    return !stands && !countsOutwards
  }

  fileprivate var before: PriorValue? {
    if case .compares(let before) = verdict { before } else { nil }
  }

  fileprivate var counts: Bool {
    if case .counts = verdict { true } else { false }
  }

  fileprivate func covers(_ other: StatePath) -> Bool {
    if case .parts = verdict { return false }
    // A write without a range made all observed parts keep their values from before the batch.
    if !path.hasRange, other.hasRange { return true }
    return path == other || (other.hasRange && path.range.contains(other.range))
  }
}

/// The value that a path had before a batch.
@MainActor class PriorValue {
  var isBack: Bool { false }
  /// Exchanges that value with the current one, so that a second call restores the current one.
  func exchange() {}
}
