/// Which parts a change has changed, and how that is told.
extension Observers {
  /// Tells who watches what a change has changed.
  func conclude(_ write: Write, by writer: any Writer) {
    let commit = nextCommit()
    let stands = write.stands
    collect(write, stands: stands, into: commit)
    for node in nodes.computed where node.advance() || (stands && node.place == write.place) {
      commit.add(computed: node)
    }
    let isChange = stands || !commit.isEmpty
    finish(commit, isChange: isChange, write.place, by: writer)
  }

  /// Tells who watches what the changes of a batch, taken together, have changed.
  func conclude(_ batch: Batch) {
    let writes = batch.writes
    guard let first = writes.first else {
      if isRecording { dropRecord() }
      for node in nodes.all where node.place.hasRange { node.forget() }
      return
    }
    let commit = nextCommit()
    var standing: Set<Place> = []
    for write in writes {
      let stands = write.stands
      collect(write, stands: stands, isInBatch: true, into: commit)
      if stands { standing.insert(write.place) }
    }
    for node in nodes.computed where node.advance() || standing.contains(node.place) {
      commit.add(computed: node)
    }
    for node in nodes.ranged { node.forget() }
    let isChange = !standing.isEmpty || !commit.isEmpty
    batch.addLatecomers(to: commit)
    finish(commit, isChange: isChange, first.place, by: batch.writer)
  }

  /// - Parameter stands: whether the place itself has changed, whatever it is compared with.
  private func collect(
    _ write: Write, stands: Bool, isInBatch: Bool = false, into commit: Commit
  ) {
    let place = write.place
    guard place.hasRange else {
      return collectAnywhere(place, stands: stands, into: commit)
    }
    // Lists of their own: to compare may end subscriptions, and so take nodes out of the list.
    var hasChangedPart = false
    for node in nodes.within(place.extent) {
      if nodes.isPart(node, of: place) || (!stands && node.place.type == place.type) {
        guard node.differs() else { continue }
        commit.add(node)
        hasChangedPart = true
      } else {
        if stands { commit.add(node) }
        // If it is what the place is all of, it was taken for a part until now.
        if !isInBatch { node.forget() }
      }
    }
    if stands {
      for node in nodes.around(place.extent) { commit.add(node) }
    } else if hasChangedPart {
      // What is compared by `==` is taken for unchanged; the rest has been written to.
      for node in nodes.around(place.extent) where !node.isComparable { commit.add(node) }
    }
  }

  /// What a computed property has changed, which may be anything that lies where it belongs to.
  private func collectAnywhere(_ place: Place, stands: Bool, into commit: Commit) {
    let container = stands ? place.container.place : nil
    for node in nodes.ranged {
      if let container, node.extent.contains(container.extent), !nodes.isPart(node, of: container) {
        commit.add(node)
        node.forget()
      } else if node.differs() {
        commit.add(node)
      }
    }
  }

  private func nextCommit() -> Commit {
    commits += 1
    return Commit(commits, limit: Propagation.currentOrder)
  }

  // MARK: - Telling

  private func finish(
    _ commit: Commit, isChange: Bool, _ place: Place, by writer: any Writer
  ) {
    // Last: what they write is told after this commit.
    let isDuringDelivery = Propagation.isDelivering
    defer { if isDuringDelivery { commit.tellTrackers() } }
    guard isRecording else {
      guard !commit.isEmpty else { return }
      return tell(commit, in: context(of: writer, place))
    }
    guard wantsRecord(isChange) else { return commit.drop() }
    Propagation.nested {
      let context = context(of: writer, place)
      if Propagation.loop(in: context) == .known {
        dropRecord()
        return commit.drop()
      }
      // In the queue before it is recorded: a recorder may write, and that comes after it.
      tell(commit, in: context)
      commit.cause = record(by: writer, in: context)
    }
  }

  /// What the deliveries of a commit follow from.
  private func context(of writer: any Writer, _ place: Place) -> Propagation.Context {
    guard Propagation.isDelivering else { return Propagation.Context(round: 1) }
    return Propagation.following(writer.writerName, place.keyPath)
  }

  private func tell(_ commit: Commit, in context: Propagation.Context) {
    let loop = Propagation.loop(in: context)
    guard loop == .none else {
      commit.drop()
      guard loop == .new else { return }
      Propagation.loopIsKnown()
      loopWasStopped(context.trail?.chain ?? [], in: context)
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
      // Here, so that what this writes is told after the commit.
      releaseDiscarded()
      deliver(commit)
      Propagation.end()
    }
  }

  private func deliver(_ commit: Commit) {
    if let cause = commit.cause { Propagation.context.cause = cause }
    delivering = commit.id
    reached = 0
    commit.deliver(for: self)
    didDeliver(commit.id)
  }

  /// Tells the watchers of one part, at once.
  func tell(only node: Node) {
    commits += 1
    let id = commits
    node.live = id
    node.telling = id
    delivering = id
    reached = 0
    inFlight += 1
    if node.hasComposites { composite.append(id) }
    Propagation.begin(round: 1)
    tell(watchersOf: node, upTo: Propagation.currentOrder)
    node.telling = 0
    if node.live == id { node.live = 0 }
    didDeliver(id)
    Propagation.end()
  }

  /// Tells those who subscribed no later than the limit, in their order (S1, S3).
  func tell(watchersOf node: Node, upTo limit: UInt64) {
    let count = node.watchers.beginReading()
    for position in 0..<count {
      guard let watcher = node.watchers.element(at: position, upTo: limit) else { continue }
      reached = watcher.order
      watcher.receiveCommit()
    }
    node.watchers.endReading()
  }

  private func didDeliver(_ id: Int) {
    delivering = 0
    inFlight -= 1
    if !composite.isEmpty { composite.removeAll { $0 == id } }
    // Taken out first: what it has kept may come back here when it is released.
    if !pending.isEmpty, let commit = pending.removeValue(forKey: id) { discard(commit) }
    releaseDiscarded()
  }
}
