/// Who is told of a commit, and in which order.
extension Model {
  /// Finds the nodes that the writes have changed, and tells their watchers.
  func conclude(_ writes: [Write<State>], by writer: any Writer) {
    version += 1
    let changed = changedNodes(by: writes)
    let place = writes[0].place
    guard isRecording, let before = stateBefore.take() else {
      if !changed.isEmpty { tell(changed, in: context(of: writer, place), limit: Propagation.currentOrder) }
      return
    }
    let isChange = !changed.isEmpty || writes.contains { $0.isCertain && !isUndone($0) }
    guard isChange || differs(from: before) else { return }
    // Both in one delivery: what an event's receiver writes comes after this commit was told.
    let limit = Propagation.currentOrder
    Propagation.nested {
      var context = context(of: writer, place)
      guard context.round <= Propagation.roundLimit + 1 else { return }
      context.cause = unsafe delegate?.model(
        didCommitFrom: before, to: state, by: writer, in: context)
      tell(changed, in: context, limit: limit)
    }
  }

  /// What the deliveries of a commit follow from.
  private func context(of writer: any Writer, _ place: Place) -> Propagation.Context {
    var context = Propagation.context
    context.round += 1
    if Propagation.isDelivering {
      context.trail = Trail(parent: context.trail, writer: writer.writerName, path: place.keyPath)
    }
    return context
  }

  private func isUndone(_ write: Write<State>) -> Bool { unsafe write.isUndone?(state) ?? false }

  private func differs(from before: State) -> Bool {
    guard let equality else { return true }
    return unsafe !equality.areEqual(before, state)
  }

  private func changedNodes(by writes: [Write<State>]) -> [Node<State>] {
    var changed: [Node<State>] = []
    func add(_ node: Node<State>) {
      guard node.changedBy != version else { return }
      node.changedBy = version
      changed.append(node)
    }
    var standing: [Place] = []
    for write in writes {
      let place = write.place
      let stands = write.isCertain && !isUndone(write)
      if stands { standing.append(place) }
      let examine: (Node<State>) -> Void = { node in
        let differs = unsafe node.differs(in: self.state)
        if differs || (stands && node.place.contains(place)) { add(node) }
      }
      if place.hasRange {
        if stands { nodes.forEach(around: place, add) }
        nodes.forEach(within: place, examine)
      } else {
        for node in nodes.allRanged {
          if node.isWhole { if stands { add(node) } } else { examine(node) }
        }
      }
    }
    for node in nodes.computed {
      let differs = unsafe node.advance(to: state)
      if differs || standing.contains(node.place) { add(node) }
    }
    return changed
  }

  private func tell(_ changed: [Node<State>], in context: Propagation.Context, limit: UInt64) {
    let version = version
    guard context.round <= Propagation.roundLimit else {
      if context.round == Propagation.roundLimit + 1 {
        delegate?.model(didStopLoop: context.trail?.chain ?? [], in: context)
      }
      return
    }
    if changed.contains(where: \.hasComposites) { snapshots.require(version) }
    if Propagation.isDelivering {
      let takes = changed.map { unsafe $0.taking(state) }
      Propagation.enqueue(in: context) {
        for take in takes { take() }
        self.deliver(version, changed, upTo: limit)
      }
    } else {
      Propagation.deliver(in: context) {
        for node in changed { unsafe node.take(state) }
        deliver(version, changed, upTo: limit)
      }
    }
  }

  private func deliver(_ version: Int, _ changed: [Node<State>], upTo limit: UInt64) {
    snapshots.begin(version)
    if changed.count == 1 {
      let count = changed[0].watchers.beginReading()
      for position in 0..<count {
        changed[0].watchers.element(at: position, upTo: limit)?.receiveCommit()
      }
      changed[0].watchers.endReading()
    } else {
      for watcher in merged(changed, upTo: limit) { watcher.receiveCommit() }
    }
    for node in changed { node.drop() }
    snapshots.end(version)
  }

  /// The watchers of several nodes in the order in which they subscribed, each once.
  private func merged(_ changed: [Node<State>], upTo limit: UInt64) -> [Watcher] {
    var watchers = changed.flatMap { $0.watchers.elements }
    watchers.sort { $0.order < $1.order }
    var last: UInt64 = 0
    watchers.removeAll { watcher in
      defer { last = watcher.order }
      return watcher.order == last || watcher.order > limit
    }
    return watchers
  }
}
