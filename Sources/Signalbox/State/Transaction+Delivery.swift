/// Notifies the watchers of changed parts.
extension Transaction {
  /// `sites` are those whose states may have come or gone with the commit.
  func finish(
    _ commit: Commit, isChange: Bool, _ path: StatePath, _ sites: [Site], by writer: any Writer
  ) {
    // Trackers come last, so that their writes are delivered after this commit.
    let isDuringDelivery = Propagation.isDelivering
    defer { if isDuringDelivery { commit.tellTrackers() } }
    // A batch without an overall change is not recorded, but may concern a latecomer.
    let recorders = recorded.filter { $0.wantsRecord(isChange) }
    guard !recorders.isEmpty || !sites.isEmpty else {
      guard !commit.isEmpty else { return }
      return tell(commit, in: context(of: writer, path))
    }
    Propagation.nested(in: Propagation.currentContext) {
      var context = context(of: writer, path)
      if !recorders.isEmpty, Propagation.loop(in: context) == .known {
        for recorder in recorders { recorder.dropRecord() }
        commit.drop()
      } else {
        // Queued before it is recorded, so that the writes of a recorder are delivered after it.
        tell(commit, in: context)
        var number: Int?
        for recorder in recorders {
          if let cause = recorder.record(by: writer, in: context, as: &number) {
            commit.cause = cause
          }
        }
        context.cause = commit.cause
        for (node, change) in commit.derived {
          node.anyDelegate?.storage(didDerive: change, in: context)
        }
      }
      guard !sites.isEmpty else { return }
      context.cause = commit.cause ?? writer.causeOfWrites
      // States come and go before the commit is delivered, and what they write comes after it.
      Propagation.aside(in: context) {
        if sites.count > 1 { for site in sites { site.end() } }
        for site in sites { site.update() }
      }
    }
  }

  private func context(of writer: any Writer, _ path: StatePath) -> Propagation.Context {
    guard Propagation.isDelivering else { return Propagation.Context(round: 1) }
    var context = Propagation.following(writer.writerDescription, path.keyPath)
    // The cause may be that of another store, from which a writer of this one does not follow.
    if context.cause != nil { context.cause = writer.causeOfWrites }
    return context
  }

  private func tell(_ commit: Commit, in context: Propagation.Context) {
    let loop = Propagation.loop(in: context)
    guard loop == .none else {
      commit.drop()
      guard loop == .new else { return }
      Propagation.loopIsKnown()
      root.loopWasStopped(context.chain?.loop ?? [], in: context)
      return
    }
    guard !commit.isEmpty else { return }
    inFlight += 1
    pending[commit.id] = commit
    if commit.hasComposites { composite.append(commit.id) }
    if Propagation.isDelivering {
      Propagation.enqueue(in: context) { [root] in root.transaction.deliver(commit) }
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
    commit.deliver(in: self)
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

  /// Keeps the value of a part that earlier commits have not delivered yet.
  func keepUntold(_ part: ObservedPart) {
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
    // Not `commits`: the commit in progress is not listed yet while a site prepares its states in it.
    if let last = composite.last { part.keptFor = last }
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

  func box(of part: ObservedPart, in id: Int) -> AnyObject? {
    pending[id]?.box(of: part)
  }
}

extension StateNode {
  func keepUntold(_ range: ByteRange) {
    let transaction = transaction
    if !transaction.composite.isEmpty {
      for part in parts.computed { transaction.keepUntold(part) }
    }
    guard range.hasRange else {
      for part in parts.ranged { transaction.keepUntold(part) }
      return
    }
    for part in parts.within(range) { transaction.keepUntold(part) }
    for part in parts.around(range) { transaction.keepUntold(part) }
  }
}
