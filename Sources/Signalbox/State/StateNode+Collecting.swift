/// Finds the parts that a write, or a batch, has changed.
extension StateNode {
  /// Delivers one change to the watchers of the parts that it has changed.
  func conclude(_ write: Write, by writer: any Writer) {
    // Kept, because observers may release it.
    let root = root
    let commit = root.transaction.nextCommit()
    let stands = write.stands
    var sites = ChangedSites()
    collectAll(write, stands: stands, into: commit, &sites)
    commit.addDependents()
    let isChange = stands || !commit.isEmpty
    root.transaction.finish(commit, isChange: isChange, write.path, sites.all, by: writer)
  }

  /// Adds the parts that a write has changed, here and in the states around and within.
  private func collectAll(
    _ write: Write, stands: Bool, into commit: Commit, _ sites: inout ChangedSites
  ) {
    let isSilent = write.isSilent(stands: stands)
    if outer != nil, !isPresent {
      // The write has ended the state. No observer in here is notified of it (C4).
      loseAll()
    } else {
      collect(write, stands: stands, into: commit)
      collectComputed(write, stands: stands, isSilent: isSilent, into: commit)
      collectSites(write, into: commit, &sites)
    }
    guard outer != nil else { return }
    collectOutwards(
      stands: stands || write.countsOutwards, isSilent: isSilent, into: commit, &sites)
  }

  private func collectComputed(
    _ write: Write, stands: Bool, isSilent: Bool, into commit: Commit
  ) {
    for part in parts.computed
    where part.advance(isSilent: isSilent) || (stands && reading { part.path == write.path }) {
      commit.add(computed: part)
    }
  }

  fileprivate func collectSites(_ write: Write, into commit: Commit, _ sites: inout ChangedSites) {
    guard !self.sites.isEmpty else { return }
    for site in self.sites(at: write.path.range) { collect(site, into: commit, &sites) }
  }

  private func collect(_ site: Site, into commit: Commit, _ sites: inout ChangedSites) {
    if sites.insert(site) { site.collect(into: commit) }
  }

  fileprivate func collectOutwards(
    stands: Bool, isSilent: Bool = false, isInBatch: Bool = false, into commit: Commit,
    _ sites: inout ChangedSites
  ) {
    var inner = self
    // A state is there if one in it is.
    var isThere = isPresent
    while let outer = inner.outer {
      if let site = outer.site, !isThere { collect(site, into: commit, &sites) }
      inner = outer.node
      isThere = isThere || inner.isPresent
      guard isThere else { continue }
      let write = Write(outer.path, stands ? .counts : .parts)
      inner.collect(write, stands: stands, isInBatch: isInBatch, into: commit)
      if !isInBatch {
        inner.collectComputed(write, stands: stands, isSilent: isSilent, into: commit)
      }
      for site in inner.sites(at: outer.path.range)
      where site.isConcerned(byStatesOf: outer.site) {
        collect(site, into: commit, &sites)
      }
    }
  }

  func collectChanged(into commit: Commit) {
    for part in parts.ranged where part.differs() { commit.add(part) }
    for part in parts.computed where part.advance() { commit.add(computed: part) }
    for site in sites where site.isActive { site.collect(into: commit) }
  }

  /// Notes what has changed in this state, which is gone, and drops the kept values.
  func loseAll() {
    for part in parts.ranged { part.lose() }
    for part in parts.computed { part.lose() }
    for site in sites { site.lose() }
  }

  func forgetAll() {
    for part in parts.ranged { part.forget() }
    for site in sites { site.forget() }
  }

  /// This state and those around it, except for the outermost one.
  fileprivate var chain: [StateNode] {
    var chain: [StateNode] = []
    var next = self
    while let outer = next.outer {
      chain.append(next)
      next = outer.node
    }
    return chain
  }

  /// Adds the parts with a range that a write has changed, and the path itself if it `stands`.
  fileprivate func collect(
    _ write: Write, stands: Bool, isInBatch: Bool = false, into commit: Commit
  ) {
    let path = write.path
    guard path.hasRange else {
      return collectAnywhere(path, stands: stands, into: commit)
    }
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
}

extension Transaction {
  func conclude(_ batch: Batch) {
    let (root, writes) = (root, batch.writes)
    guard let first = writes.first else {
      for recorder in recorded { recorder.dropRecord() }
      return root.forgetAll()
    }
    let commit = nextCommit()
    var standing: Set<StatePath> = []
    var sites = ChangedSites()
    var others: [StateNode] = []
    var isSilent = true
    var known: Set<ObjectIdentifier> = []
    for write in writes {
      let stands = write.stands
      if !write.isSilent(stands: stands) { isSilent = false }
      let node = write.node ?? root
      if node === root || node.isPresent {
        node.collect(write, stands: stands, isInBatch: true, into: commit)
        node.collectSites(write, into: commit, &sites)
      }
      guard node === root else {
        node.collectOutwards(
          stands: stands || write.countsOutwards, isInBatch: true, into: commit, &sites)
        for other in node.chain where known.insert(ObjectIdentifier(other)).inserted {
          others.append(other)
        }
        continue
      }
      if stands { root.reading { _ = standing.insert(write.path) } }
    }
    for part in root.parts.computed
    where part.advance(isSilent: isSilent) || root.reading({ standing.contains(part.path) }) {
      commit.add(computed: part)
    }
    for other in others {
      if other.isPresent {
        for part in other.parts.computed where part.advance(isSilent: isSilent) {
          commit.add(computed: part)
        }
      }
      other.forgetAll()
    }
    root.forgetAll()
    commit.addDependents(after: batch)
    let isChange = !standing.isEmpty || !commit.isEmpty || writes.contains(where: \.countsOutwards)
    batch.addLatecomers(to: commit)
    finish(commit, isChange: isChange, first.path, sites.all, by: batch.writer)
  }
}

/// The sites whose states may have come or gone with a commit, in the order in which they were found.
@MainActor private struct ChangedSites {
  private(set) var all: [Site] = []
  private var known: Set<ObjectIdentifier> = []

  mutating func insert(_ site: Site) -> Bool {
    guard known.insert(ObjectIdentifier(site)).inserted else { return false }
    all.append(site)
    return true
  }
}
