/// Finds the parts that a change has changed.
extension ObserverRegistry {
  /// Delivers one change to the watchers of the parts that it has changed.
  func conclude(_ write: Write, by writer: any Writer) {
    let root = root
    let commit = root.nextCommit()
    let stands = write.stands
    var sites = ChangedSites()
    collectAll(write, stands: stands, into: commit, &sites)
    let isChange = stands || !commit.isEmpty
    root.finish(commit, isChange: isChange, write.path, sites.all, by: writer)
  }

  /// Adds to a commit the parts that a write has changed, here and in the states around and within.
  private func collectAll(
    _ write: Write, stands: Bool, into commit: Commit, _ sites: inout ChangedSites
  ) {
    let isSilent = write.isSilent(stands: stands)
    if outer != nil, !isPresent {
      // The write has ended the state. No observer in here is notified of it (C4).
      loseAll()
    } else {
      collect(write, stands: stands, into: commit)
      for part in parts.computed
      where part.advance(isSilent: isSilent) || (stands && reading { part.path == write.path }) {
        commit.add(computed: part)
      }
      collectSites(write, into: commit, &sites)
    }
    guard outer != nil else { return }
    collectOutwards(
      stands: stands || write.countsOutwards, isSilent: isSilent, into: commit, &sites)
  }

  /// Adds the parts of states that come and go, whose container a write concerns.
  private func collectSites(_ write: Write, into commit: Commit, _ sites: inout ChangedSites) {
    guard !self.sites.isEmpty else { return }
    for site in self.sites(at: write.path.range) { collect(site, into: commit, &sites) }
  }

  /// Adds the changed parts of a site, unless it was found before.
  private func collect(_ site: Site, into commit: Commit, _ sites: inout ChangedSites) {
    if sites.insert(site) { site.collect(into: commit) }
  }

  /// Adds the parts of the states around this one, after a change of this one.
  private func collectOutwards(
    stands: Bool, isSilent: Bool = false, isInBatch: Bool = false, into commit: Commit,
    _ sites: inout ChangedSites
  ) {
    var inner = self
    // A state is there if one in it is.
    var isThere = isPresent
    while let outer = inner.outer {
      if let site = outer.site, !isThere { collect(site, into: commit, &sites) }
      inner = outer.registry
      isThere = isThere || inner.isPresent
      guard isThere else { continue }
      let write = Write(outer.path, stands ? .counts : .parts)
      inner.collect(write, stands: stands, isInBatch: isInBatch, into: commit)
      if !isInBatch {
        for part in inner.parts.computed
        where part.advance(isSilent: isSilent) || (stands && reading { part.path == write.path }) {
          commit.add(computed: part)
        }
      }
      for site in inner.sites(at: outer.path.range)
      where site.isConcerned(byStatesOf: outer.site) {
        collect(site, into: commit, &sites)
      }
    }
  }

  /// Adds all parts of this state that have changed, and those of states within it.
  func collectChanged(into commit: Commit) {
    for part in parts.ranged where part.differs() { commit.add(part) }
    for part in parts.computed where part.advance() { commit.add(computed: part) }
    for site in sites where site.isActive { site.collect(into: commit) }
  }

  /// Notes what has changed in this state, which is gone, and drops the values for the comparison.
  func loseAll() {
    for part in parts.ranged { part.lose() }
    for part in parts.computed { part.lose() }
    for site in sites { site.lose() }
  }

  /// Drops all values that were kept for a comparison.
  func forgetAll() {
    for part in parts.ranged { part.forget() }
    for site in sites { site.forget() }
  }

  /// Delivers the changes of a batch, taken together, to the watchers of the changed parts.
  func conclude(_ batch: Batch) {
    let writes = batch.writes
    guard let first = writes.first else {
      for recorder in recorded { recorder.dropRecord() }
      forgetAll()
      return
    }
    let commit = nextCommit()
    var standing: Set<StatePath> = []
    var sites = ChangedSites()
    var others: [ObserverRegistry] = []
    var isSilent = true
    var known: Set<ObjectIdentifier> = []
    for write in writes {
      let stands = write.stands
      if !write.isSilent(stands: stands) { isSilent = false }
      let registry = write.registry ?? self
      if registry === self || registry.isPresent {
        registry.collect(write, stands: stands, isInBatch: true, into: commit)
        registry.collectSites(write, into: commit, &sites)
      }
      guard registry === self else {
        registry.collectOutwards(
          stands: stands || write.countsOutwards, isInBatch: true, into: commit, &sites)
        for other in registry.chain where known.insert(ObjectIdentifier(other)).inserted {
          others.append(other)
        }
        continue
      }
      if stands { reading { _ = standing.insert(write.path) } }
    }
    for part in parts.computed
    where part.advance(isSilent: isSilent) || reading({ standing.contains(part.path) }) {
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
    forgetAll()
    let isChange = !standing.isEmpty || !commit.isEmpty || writes.contains(where: \.countsOutwards)
    batch.addLatecomers(to: commit)
    finish(commit, isChange: isChange, first.path, sites.all, by: batch.writer)
  }

  /// This registry and those around it, except for the outermost one.
  private var chain: [ObserverRegistry] {
    var chain: [ObserverRegistry] = []
    var next = self
    while let outer = next.outer {
      chain.append(next)
      next = outer.registry
    }
    return chain
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

  /// Runs a body whose changes are one commit.
  func batch<R>(by writer: any Writer, _ body: () throws -> R) rethrows -> R {
    if outermost != nil { return try root.batch(by: writer, body) }
    checkAct()
    let isOutermost = batch == nil
    if isOutermost { batch = Batch(writer: writer) }
    defer {
      if isOutermost, let finished = batch.take() {
        conclude(finished)
        for ending in finished.endings { ending() }
        releaseDiscarded()
      }
    }
    return try body()
  }
}

/// The sites whose states may have come or gone with a commit, in the order in which they were found.
@MainActor private struct ChangedSites {
  private(set) var all: [Site] = []
  private var known: Set<ObjectIdentifier> = []

  /// Adds a site, and tells whether it is new.
  mutating func insert(_ site: Site) -> Bool {
    guard known.insert(ObjectIdentifier(site)).inserted else { return false }
    all.append(site)
    return true
  }
}
