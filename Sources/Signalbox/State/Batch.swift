/// A change that is not told yet.
@MainActor final class Write {
  enum Verdict {
    /// It counts, whatever becomes of the value: a change in place, or a forced one.
    case counts
    /// It counts unless the value of before the batch is back; `nil` where a wider write knows.
    case compares(Before?)
    /// What counts is what has become of the parts, and of the place itself.
    case open
    /// What counts is what has become of the parts; the place itself has not changed.
    case parts

    var isOpen: Bool {
      if case .open = self { true } else { false }
    }
  }

  let place: Place
  fileprivate(set) var verdict: Verdict

  init(_ place: Place, _ verdict: Verdict = .counts) {
    self.place = place
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

  fileprivate var before: Before? {
    if case .compares(let before) = verdict { before } else { nil }
  }

  fileprivate var counts: Bool {
    if case .counts = verdict { true } else { false }
  }

  fileprivate func covers(_ other: Place) -> Bool {
    if case .parts = verdict { return false }
    // What may be anywhere has had all that is observed remembered, as it was before the batch.
    if !place.hasRange, other.hasRange { return true }
    return place == other || (other.hasRange && place.extent.contains(other.extent))
  }
}

/// The value that a place had before a batch.
@MainActor class Before {
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
  private var retired: [Before] = []
  /// Who subscribed before the batch began.
  private let limit = Propagation.currentOrder
  private var latecomers: [Latecomer] = []
  private var trackers: [ObjectIdentifier: Int] = [:]

  init(writer: any Writer) { self.writer = writer }

  var writes: [Write] { ranged + unrangedInOrder }

  func covers(_ place: Place) -> Bool {
    guard place.hasRange else { return unranged[place.keyPath] != nil }
    // What has no range may have changed anything.
    return !unranged.isEmpty || ranged.contains { $0.covers(place) }
  }

  func note(_ write: Write) {
    if write.counts { countForLatecomers(write.place) }
    if let same = noted(write.place) {
      // Where a wider write knows, it is for that one to say what has become of this.
      let isKnown = write.before == nil && !write.verdict.isOpen
      if case .parts = same.verdict, !isKnown { same.verdict = write.verdict }
      if write.counts {
        if let before = same.before { retired.append(before) }
        same.verdict = .counts
      }
      return
    }
    guard write.counts || !covers(write.place) else { return }
    let covered = ranged.filter { write.covers($0.place) && $0.before != nil }
    if !covered.isEmpty {
      retired += covered.compactMap(\.before)
      ranged.removeAll { write in covered.contains { $0 === write } }
    }
    if write.place.hasRange {
      ranged.append(write)
    } else {
      unranged[write.place.keyPath] = write
      unrangedInOrder.append(write)
    }
  }

  private func noted(_ place: Place) -> Write? {
    place.hasRange ? ranged.first { $0.place == place } : unranged[place.keyPath]
  }

  /// Runs a body in the state of before the batch, as far as an extent is concerned.
  func rewound<Result>(within extent: Extent, _ body: () -> Result) -> Result {
    let inner = ranged.filter { write in
      guard write.before != nil else { return false }
      return !extent.hasRange || extent.contains(write.place.extent)
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
    let node: Node
    var baseline: Baseline?
    /// Whether there was a write that counts without being compared.
    var isCertain = false

    init(_ watcher: Watcher, _ node: Node) {
      self.watcher = watcher
      self.node = node
    }
  }

  func add(_ watcher: Watcher, of node: Node) {
    let latecomer = Latecomer(watcher, node)
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
  func rememberForLatecomers(_ extent: Extent) {
    for latecomer in latecomers where latecomer.baseline == nil {
      let other = latecomer.node.extent
      let isConcerned =
        !extent.hasRange || !other.hasRange || extent.contains(other) || other.contains(extent)
      // A tracker needs no value: keeping one would make the write copy what it changes.
      if isConcerned {
        latecomer.baseline = latecomer.watcher.isTracker ? Baseline() : latecomer.node.baseline()
      }
    }
  }

  private func countForLatecomers(_ place: Place) {
    guard !latecomers.isEmpty else { return }
    let extent = place.hasRange ? place.extent : place.container.place.extent
    for latecomer in latecomers {
      let node = latecomer.node
      if node.place == place || (node.place.hasRange && node.extent.contains(extent)) {
        latecomer.isCertain = true
      }
    }
  }

  /// Adds the latecomers for whom a part has changed since they came.
  func addLatecomers(to commit: Commit) {
    guard !latecomers.isEmpty else { return }
    commit.exclude(laterThan: limit)
    for latecomer in latecomers where latecomer.node.isThere {
      guard latecomer.isCertain || latecomer.baseline?.differs == true else { continue }
      commit.add(latecomer.node, for: latecomer.watcher)
    }
  }
}
