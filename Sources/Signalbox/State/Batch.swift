/// A change that is not told yet.
@MainActor final class Write {
  enum Verdict {
    /// It counts, whatever becomes of the value: a change in place, or a forced one.
    case counts
    /// It counts unless the value of before the batch is back; `nil` where a wider write knows.
    case compares(PriorValue?)
    /// What counts is what has become of the parts, and of the place itself.
    case open
    /// What counts is what has become of the parts; the place itself has not changed.
    case parts

    var isOpen: Bool {
      if case .open = self { true } else { false }
    }
  }

  let path: StatePath
  fileprivate(set) var verdict: Verdict

  init(_ path: StatePath, _ verdict: Verdict = .counts) {
    self.path = path
    self.verdict = verdict
  }

  /// Whether the place counts as changed now that the batch has ended.
  var stands: Bool {
    switch verdict {
    case .counts: true
    case .compares(let before): before?.isBack != true
    case .open, .parts: false
    }
  }

  fileprivate var before: PriorValue? {
    if case .compares(let before) = verdict { before } else { nil }
  }

  fileprivate var counts: Bool {
    if case .counts = verdict { true } else { false }
  }

  fileprivate func covers(_ other: StatePath) -> Bool {
    if case .parts = verdict { return false }
    // What may be anywhere has had all that is observed remembered, as it was before the batch.
    if !path.hasRange, other.hasRange { return true }
    return path == other || (other.hasRange && path.range.contains(other.range))
  }
}

/// The value that a place had before a batch.
@MainActor class PriorValue {
  /// Whether the place has that value again.
  var isBack: Bool { false }
  /// Puts that value into the place, and keeps the one that was there; a second time, the reverse.
  func exchange() {}
}

/// The changes inside the outermost `batch`, judged together when it ends.
///
/// Each place is noted once, with its value of before the batch; a wider place that is written to
/// later takes the narrower ones in, for which it goes back to what was before them.
@MainActor final class Batch {
  let writer: any Writer
  /// Those to places with a range: no more than there are properties.
  private var ranged: [Write] = []
  /// The others, of which there may be any number.
  private var unranged: [AnyKeyPath: Write] = [:]
  private var unrangedInOrder: [Write] = []
  /// Values that no write needs any more, kept until the batch has ended.
  ///
  /// What they do when they are released would find the batch half changed.
  private var retired: [PriorValue] = []
  /// Who subscribed before the batch began.
  private let limit = Propagation.currentOrder
  private var latecomers: [Latecomer] = []
  private var trackers: [ObjectIdentifier: Int] = [:]

  init(writer: any Writer) { self.writer = writer }

  var writes: [Write] { ranged + unrangedInOrder }

  func covers(_ path: StatePath) -> Bool {
    guard path.hasRange else { return unranged[path.keyPath] != nil }
    // What has no range may have changed anything.
    return !unranged.isEmpty || ranged.contains { $0.covers(path) }
  }

  func note(_ write: Write) {
    if write.counts { countForLatecomers(write.path) }
    if let same = noted(write.path) {
      // Where a wider write knows, it is for that one to say what has become of this.
      let isKnown = write.before == nil && !write.verdict.isOpen
      if case .parts = same.verdict, !isKnown { same.verdict = write.verdict }
      if write.counts {
        if let before = same.before { retired.append(before) }
        same.verdict = .counts
      }
      return
    }
    guard write.counts || !covers(write.path) else { return }
    let covered = ranged.filter { write.covers($0.path) && $0.before != nil }
    if !covered.isEmpty {
      retired += covered.compactMap(\.before)
      ranged.removeAll { write in covered.contains { $0 === write } }
    }
    if write.path.hasRange {
      ranged.append(write)
    } else {
      unranged[write.path.keyPath] = write
      unrangedInOrder.append(write)
    }
  }

  private func noted(_ path: StatePath) -> Write? {
    path.hasRange ? ranged.first { $0.path == path } : unranged[path.keyPath]
  }

  /// Runs a body in the state of before the batch, as far as an extent is concerned.
  func rewound<Result>(within range: ByteRange, _ body: () -> Result) -> Result {
    let inner = ranged.filter { write in
      guard write.before != nil else { return false }
      return !range.hasRange || range.contains(write.path.range)
    }
    for write in inner.reversed() { write.before?.exchange() }
    defer { for write in inner { write.before?.exchange() } }
    return body()
  }
}

// MARK: - Subscribers that come during a batch

extension Batch {
  /// A subscriber that came, or has read again, during a batch.
  ///
  /// What the batch had changed before is not for it. So it has a baseline of its own: the value
  /// before the first write that concerns it.
  private final class Latecomer {
    let watcher: Watcher
    let part: ObservedPart
    var baseline: Baseline?
    /// Whether there was a write that counts without being compared.
    var isCertain = false

    init(_ watcher: Watcher, _ part: ObservedPart) {
      self.watcher = watcher
      self.part = part
    }
  }

  func add(_ watcher: Watcher, of part: ObservedPart) {
    let latecomer = Latecomer(watcher, part)
    // A tracker comes each time that it reads, and what it has read last counts.
    if watcher.isTracker {
      if let index = trackers[ObjectIdentifier(watcher)] {
        latecomers[index] = latecomer
        return
      }
      trackers[ObjectIdentifier(watcher)] = latecomers.count
    }
    latecomers.append(latecomer)
  }

  /// Before a write to an extent: without a range it may change anything.
  func rememberForLatecomers(_ range: ByteRange) {
    // By index: a getter that gives a baseline may subscribe in turn.
    var index = 0
    while index < latecomers.count {
      let latecomer = latecomers[index]
      index += 1
      guard latecomer.baseline == nil else { continue }
      let other = latecomer.part.range
      let isConcerned =
        !range.hasRange || !other.hasRange || range.contains(other) || other.contains(range)
      // A tracker needs no value: keeping one would make the write copy what it changes.
      if isConcerned {
        latecomer.baseline = latecomer.watcher.isTracker ? Baseline() : latecomer.part.baseline()
      }
    }
  }

  private func countForLatecomers(_ path: StatePath) {
    guard !latecomers.isEmpty else { return }
    let range = path.hasRange ? path.range : path.container.path.range
    for latecomer in latecomers {
      let part = latecomer.part
      if part.path == path || (part.path.hasRange && part.range.contains(range)) {
        latecomer.isCertain = true
      }
    }
  }

  /// Adds the latecomers for whom a part has changed since they came.
  func addLatecomers(to commit: Commit) {
    guard !latecomers.isEmpty else { return }
    commit.exclude(laterThan: limit)
    for latecomer in latecomers where latecomer.part.isThere {
      guard latecomer.isCertain || latecomer.baseline?.differs == true else { continue }
      commit.add(latecomer.part, for: latecomer.watcher)
    }
  }
}
