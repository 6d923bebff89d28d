/// Finds the parts that a change has changed, and notifies their watchers.
extension ObserverRegistry {
  /// Delivers one change to the watchers of the parts that it has changed.
  func conclude(_ write: Write, by writer: any Writer) {
    let commit = nextCommit()
    let stands = write.stands
    collect(write, stands: stands, into: commit)
    for part in parts.computed
    where part.advance() || (stands && reading { part.path == write.path }) {
      commit.add(computed: part)
    }
    let isChange = stands || !commit.isEmpty
    finish(commit, isChange: isChange, write.path, by: writer)
  }

  /// Delivers the changes of a batch, taken together, to the watchers of the changed parts.
  func conclude(_ batch: Batch) {
    let writes = batch.writes
    guard let first = writes.first else {
      if isRecording { dropRecord() }
      for part in parts.all where part.path.hasRange { part.forget() }
      return
    }
    let commit = nextCommit()
    var standing: Set<StatePath> = []
    for write in writes {
      let stands = write.stands
      collect(write, stands: stands, isInBatch: true, into: commit)
      if stands { reading { _ = standing.insert(write.path) } }
    }
    for part in parts.computed where part.advance() || reading({ standing.contains(part.path) }) {
      commit.add(computed: part)
    }
    for part in parts.ranged { part.forget() }
    let isChange = !standing.isEmpty || !commit.isEmpty
    batch.addLatecomers(to: commit)
    finish(commit, isChange: isChange, first.path, by: batch.writer)
  }

  /// Adds to a commit the parts with a range that a write has changed.
  ///
  /// - Parameter stands: whether the path itself counts as changed.
  private func collect(
    _ write: Write, stands: Bool, isInBatch: Bool = false, into commit: Commit
  ) {
    let path = write.path
    guard path.hasRange else {
      return collectAnywhere(path, stands: stands, into: commit)
    }
    // `within` and `around` return copies, because a comparison may end subscriptions and so remove
    // parts from the index.
    var hasChangedPart = false
    for part in parts.within(path.range) {
      if parts.isPart(part, of: path) || (!stands && part.path.type == path.type) {
        guard part.differs() else { continue }
        commit.add(part)
        hasChangedPart = true
      } else {
        if stands { commit.add(part) }
        // A part whose only property is the path was remembered, too. `mayBePart` cannot tell.
        if !isInBatch { part.forget() }
      }
    }
    if stands {
      for part in parts.around(path.range) { commit.add(part) }
    } else if hasChangedPart {
      // Wider parts with an `==` count as unchanged. The others have been written to.
      for part in parts.around(path.range) where !part.isComparable { commit.add(part) }
    }
  }

  /// Adds the parts that a write without a range has changed, which may be anywhere in the state.
  private func collectAnywhere(_ path: StatePath, stands: Bool, into commit: Commit) {
    let container = stands ? path.container.path : nil
    for part in parts.ranged {
      if let container, part.range.contains(container.range), !parts.isPart(part, of: container) {
        commit.add(part)
        part.forget()
      } else if part.differs() {
        commit.add(part)
      }
    }
  }

  private func nextCommit() -> Commit {
    commits += 1
    return Commit(commits, limit: Propagation.currentOrder)
  }

  // MARK: - Telling

  private func finish(
    _ commit: Commit, isChange: Bool, _ path: StatePath, by writer: any Writer
  ) {
    // Trackers come last, so that their writes are delivered after this commit.
    let isDuringDelivery = Propagation.isDelivering
    defer { if isDuringDelivery { commit.tellTrackers() } }
    // A batch that changes nothing overall is not recorded, but may have changed something for a
    // latecomer.
    guard isRecording, wantsRecord(isChange) else {
      guard !commit.isEmpty else { return }
      return tell(commit, in: context(of: writer, path))
    }
    Propagation.nested {
      let context = context(of: writer, path)
      if Propagation.loop(in: context) == .known {
        dropRecord()
        return commit.drop()
      }
      // Queued before it is recorded, so that the writes of a recorder are delivered after it.
      tell(commit, in: context)
      commit.cause = record(by: writer, in: context)
    }
  }

  /// The context in which a commit is delivered.
  private func context(of writer: any Writer, _ path: StatePath) -> Propagation.Context {
    guard Propagation.isDelivering else { return Propagation.Context(round: 1) }
    return Propagation.following(writer.writerName, path.keyPath)
  }

  private func tell(_ commit: Commit, in context: Propagation.Context) {
    let loop = Propagation.loop(in: context)
    guard loop == .none else {
      commit.drop()
      guard loop == .new else { return }
      Propagation.loopIsKnown()
      loopWasStopped(context.chain?.loop ?? [], in: context)
      return
    }
    guard !commit.isEmpty else { return }
    inFlight += 1
    pending[commit.id] = commit
    if commit.hasComposites { composite.append(commit.id) }
    if Propagation.isDelivering {
      Propagation.enqueue(in: context) { self.deliver(commit) }
    } else {
      Propagation.begin(in: context)
      // Released here, so that writes of a `deinit` are delivered after the commit.
      releaseDiscarded()
      deliver(commit)
      Propagation.end()
    }
  }

  private func deliver(_ commit: Commit) {
    if let cause = commit.cause { Propagation.context.cause = cause }
    delivering = commit.id
    commit.deliver(for: self)
    didDeliver(commit.id)
  }

  /// Notifies the watchers of one part at once.
  func tell(only part: ObservedPart) {
    commits += 1
    let id = commits
    part.live = id
    part.telling = id
    delivering = id
    inFlight += 1
    if part.hasComposites { composite.append(id) }
    Propagation.begin(round: 1)
    tell(watchersOf: part, upTo: Propagation.currentOrder)
    part.telling = 0
    if part.live == id { part.live = 0 }
    didDeliver(id)
    Propagation.end()
  }

  /// Notifies the watchers that subscribed no later than the limit, in their order (S1, S3).
  func tell(watchersOf part: ObservedPart, upTo limit: UInt64) {
    part.deliver(upTo: limit) { watcher in
      reached = watcher.order
      watcher.receiveCommit()
    }
  }

  private func didDeliver(_ id: Int) {
    delivering = 0
    inFlight -= 1
    // Commits are delivered in order, so a composite one is the first.
    if composite.first == id { composite.removeFirst() }
    // Taken out first, because kept values may call back into this object when they are released.
    if !pending.isEmpty, let commit = pending.removeValue(forKey: id) { discard(commit) }
    releaseDiscarded()
  }

  // MARK: - Values of commits in flight

  /// Keeps the values that earlier commits have not delivered yet, before a change of a range.
  func keepUntold(_ range: ByteRange) {
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

  private func keepUntold(_ part: ObservedPart) {
    let live = part.live
    part.live = 0
    if live != 0, mustKeep(part, for: live) { pendingCommit(live).keep(part.boxed(), for: part) }
    guard part.hasComposites else { return }
    // Earlier commits kept their values when the part changed before.
    for id in composite.reversed().prefix(while: { $0 > part.keptFor })
    where mustKeep(part, for: id) {
      let commit = pendingCommit(id)
      if commit.box(of: part) == nil { commit.keep(part.boxed(), for: part) }
    }
    part.keptFor = commits
  }

  /// Whether a watcher of a part has not been notified of a commit yet.
  private func mustKeep(_ part: ObservedPart, for commit: Int) -> Bool {
    commit != delivering || part.receivers.lastOrder >= reached
  }

  private func pendingCommit(_ id: Int) -> Commit {
    if let commit = pending[id] { return commit }
    let commit = Commit(id)
    pending[id] = commit
    return commit
  }

  /// The value that a commit has kept for a part that has changed since.
  func box(of part: ObservedPart, in id: Int) -> AnyObject? {
    pending[id]?.box(of: part)
  }
}
