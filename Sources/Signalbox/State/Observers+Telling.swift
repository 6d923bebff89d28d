/// Which parts a change has changed, and how that is told.
extension Observers {
  /// Tells who watches what a change at a place has changed.
  func conclude(_ place: Place, isCertain: Bool = true, by writer: any Writer) {
    let commit = nextCommit()
    collect(place, isCertain: isCertain, into: commit)
    for node in nodes.computed where node.advance() || (isCertain && node.place == place) {
      commit.add(computed: node)
    }
    finish(commit, isChange: isCertain || !commit.changed.isEmpty, place, by: writer)
  }

  /// Tells who watches what the changes of a batch, taken together, have changed.
  func conclude(_ batch: Batch) {
    guard let first = batch.writes.first else {
      if isRecording { dropRecord() }
      for node in nodes.ranged { node.forget() }
      return
    }
    let commit = nextCommit()
    var standing: [Place] = []
    for write in batch.writes {
      let stands = write.stands
      collect(write.place, isCertain: stands, isInBatch: true, into: commit)
      if stands { standing.append(write.place) }
    }
    for node in nodes.computed where node.advance() || standing.contains(node.place) {
      commit.add(computed: node)
    }
    for node in nodes.ranged { node.forget() }
    let isChange = !standing.isEmpty || !commit.changed.isEmpty
    finish(commit, isChange: isChange, first.place, by: batch.writer)
  }

  private func collect(
    _ place: Place, isCertain: Bool, isInBatch: Bool = false, into commit: Commit
  ) {
    guard place.hasRange else {
      for node in nodes.ranged where (isCertain && node.isWhole) || node.differs() {
        commit.add(node)
      }
      return
    }
    let extent = place.extent
    let within = nodes.indices(within: extent)
    for index in within {
      let node = nodes.ranged[index]
      if isPart(index, of: place) || (!isCertain && node.place.type == place.type) {
        if node.differs() { commit.add(node) }
      } else {
        if isCertain { commit.add(node) }
        // If it is what the place is all of, it was taken for a part until now.
        if !isInBatch { node.forget() }
      }
    }
    guard isCertain else { return }
    var around = nodes.index(around: extent, startingAt: within.lowerBound)
    while let index = around {
      commit.add(nodes.ranged[index])
      around = nodes.index(around: index)
    }
  }

  private func nextCommit() -> Commit {
    commits += 1
    return Commit(commits)
  }

  // MARK: - Telling

  private func finish(
    _ commit: Commit, isChange: Bool, _ place: Place, by writer: any Writer
  ) {
    commit.limit = Propagation.currentOrder
    // Last: what they write is told after this commit.
    let isDuringDelivery = Propagation.isDelivering
    defer { if isDuringDelivery { commit.tellTrackers() } }
    guard isRecording else {
      guard !commit.changed.isEmpty else { return }
      return tell(commit, in: context(of: writer, place))
    }
    // Both in one delivery: what an event's receiver writes comes after this commit was told.
    Propagation.nested {
      var context = context(of: writer, place)
      if Propagation.loop(in: context) == .known { return commit.drop() }
      guard let cause = record(isChange, by: writer, in: context) else { return commit.drop() }
      context.cause = cause
      tell(commit, in: context)
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
    guard !commit.changed.isEmpty else { return }
    inFlight += 1
    pending[commit.id] = commit
    if commit.changed.contains(where: { $0.hasComposites }) { composite.append(commit.id) }
    if Propagation.isDelivering {
      Propagation.enqueue(in: context) { self.deliver(commit) }
    } else {
      Propagation.begin(in: context)
      deliver(commit)
      Propagation.end()
    }
  }

  private func deliver(_ commit: Commit) {
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
    if !pending.isEmpty { pending[id] = nil }
  }
}
