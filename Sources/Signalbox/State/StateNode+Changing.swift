/// The steps of a change: it is prepared, made, and then noted.
extension StateNode {
  /// Prepares a change in place, and returns whether `tellOnly` or `didChange` must be called.
  @usableFromInline func beginInPlace(_ range: ByteRange, by writer: any Writer) -> Bool {
    if unsafe access.pointee.flags == Self.watched && listening.pointee == 0,
      withTransaction({ $0.inFlight }) == 0, access.pointee.isRecent(range, movedBy: offset)
    {
      return true
    }
    return begin(range, by: writer)
  }

  // A function of its own, so that the common case saves no registers.
  @inline(never) private func begin(_ range: ByteRange, by writer: any Writer) -> Bool {
    // Elsewhere, this comes before the writer is asked for its storage. Here, that order would make
    // each change in place a quarter slower.
    connectListeners()
    if isAway {
      pin(range, by: writer)
      return true
    }
    checkAct()
    guard flags & Self.watched != 0 else { return false }
    home.willChange(local(range), isCertain: range.hasRange)
    beginComparison()
    return true
  }

  /// Prepares a change of a range; without one, anything may change.
  // If `isCertain`, a value with this very range counts as changed without a comparison.
  func willChange(_ range: ByteRange, isCertain: Bool) {
    if let changes = transaction.optimistic { return changes.willChange(in: [self]) }
    prepareChange(range, isCertain: isCertain)
  }

  /// Prepares a change of what is shown.
  func prepareChange(_ range: ByteRange, isCertain: Bool) {
    if transaction.records { for recorder in transaction.recorded { recorder.keepForRecord() } }
    var inner = self
    while let outer = inner.outer {
      if transaction.batch != nil { outer.site?.willChange(inner) }
      inner = outer.node
      let range = outer.path.range
      inner.prepare(range, isCertain: range.hasRange, except: outer.site)
    }
    prepare(range, isCertain: isCertain, except: nil)
  }

  /// Notes in the sites around that this state is about to change by itself, in a batch.
  func noteOwnChange() {
    if transaction.batch == nil { return }
    var inner = self
    while let outer = inner.outer {
      outer.site?.willChange(inner)
      inner = outer.node
    }
  }

  func remember(_ range: ByteRange, isCertain: Bool) {
    guard range.hasRange else {
      access.pointee.forgetRecent()
      for part in parts.ranged { part.remember() }
      return
    }
    let within = parts.indices(within: range)
    let ranged = parts.ranged
    if within.count == 1, !ranged[within.lowerBound].mayBePart(of: range) {
      // If this write comes in the middle of a wider change, that one does not compare the part again.
      if transaction.batch == nil { ranged[within.lowerBound].forget() }
      access.pointee.noteRecent(range, ranged[within.lowerBound])
    } else if !within.isEmpty {
      // What is remembered must be forgotten with the next write of a part.
      access.pointee.forgetRecent()
    }
    for part in ranged[within] where !isCertain || part.mayBePart(of: range) { part.remember() }
  }

  /// The common case of a change in place: a single part, and no other delivery in progress.
  // If this returns `false`, the caller must call `didChange`.
  @usableFromInline func tellOnly(_ range: ByteRange) -> Bool {
    guard access.pointee.flags == Self.watched, !Propagation.isDelivering,
      access.pointee.isRecent(range, movedBy: offset), let part = access.pointee.recentPart,
      part.isAlone
    else { return false }
    // Nothing waits for it, as the flags say.
    if comparedIn != nil { endComparison() }
    part.tellAlone()
    return true
  }

  /// Notes a change in place that followed a `beginInPlace`.
  @usableFromInline func didChange(_ path: StatePath, by writer: any Writer) {
    if isAway { return unpin(path, isUnchanged: false, by: writer) }
    let root = endComparison()
    defer { root?.transaction.runPostponedIfReleased() }
    didChange(Write(path, path.hasRange ? .counts : .open), by: writer)
  }

  /// Notes a change in place that left an equal value, except for what `==` ignores (S6).
  @usableFromInline func didNotChange(_ path: StatePath, by writer: any Writer) {
    if isAway { return unpin(path, isUnchanged: true, by: writer) }
    let root = endComparison()
    defer { root?.transaction.runPostponedIfReleased() }
    didChange(Write(path, path.hasRange ? .parts : .open), by: writer)
  }

  func didChange(_ write: Write, by writer: any Writer) {
    if let changes = transaction.optimistic { return changes.didChange(by: writer) }
    noteChange(write, by: writer)
  }

  func noteChange(_ write: Write, by writer: any Writer) {
    // Kept, because observers may release it.
    let root = root
    write.move(to: home, by: prefix)
    if let batch = transaction.batch {
      // User code hashes and compares the indices of key paths, and must not write.
      reading { batch.note(write) }
    } else {
      home.conclude(write, by: writer)
      root.transaction.releaseDiscarded()
    }
  }
}
