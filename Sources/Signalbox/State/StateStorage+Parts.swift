/// Changes of a state that is a part of another one.
extension StateStorage {
  func assignAway<T>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, _ path: StatePath, isForced: Bool,
    by writer: any Writer, _ areEqual: ((T, T) -> Bool)?
  ) {
    if let (target, writer) = forwardingTarget {
      return target.assign(value, to: keyPath, path, isForced: isForced, by: writer, areEqual)
    }
    guard isPresent else {
      var new = current
      new[keyPath: keyPath] = value
      return writer.hasDropped(from: current, to: new)
    }
    if flags & Self.overlaid != 0 {
      return assignTruth(value, to: keyPath, path, isForced: isForced, by: writer)
    }
    let path = path.located
    // Kept, so that it is released when everything else is done.
    let old = readComputed(keyPath)
    var isUnchanged = false
    if !isForced, let areEqual { isUnchanged = reading { areEqual(old, value) } }
    // A setter may change anything, even if the property stays equal.
    if isUnchanged, !path.hasRange, KeyPathShape(keyPath).hasSetter { isUnchanged = false }
    let change = beginAway(path.range, isForced: isForced)
    let root = root
    root.transaction.isComparing = true
    hold(writer)
    projected[keyPath: keyPath] = value
    releaseAway()
    discard(old)
    root.transaction.isComparing = false
    endAway(change, path, isUnchanged: isUnchanged, by: writer)
    root.transaction.runPostponedIfReleased()
  }

  /// Prepares a change of a property.
  // In a batch, where the state may move, and without a range, all observed parts are compared.
  func beginAway(_ range: ByteRange, isForced: Bool) -> AwayChange {
    if home.isUnobserved { return .unobserved }
    // In a batch, values from before the batch are in memory for a while, and the place leads to where
    // the state was then until it is looked for again.
    defer { _ = isPresent }
    guard flags & Self.overlaid == 0, isForced || (transaction.batch == nil && range.hasRange)
    else {
      home.willChange(home.wholePath.range, isCertain: false)
      return .open
    }
    home.willChange(local(range), isCertain: true)
    return .property
  }

  func endAway(
    _ change: AwayChange, _ path: StatePath, isUnchanged: Bool, by writer: any Writer
  ) {
    let isThere = isPresent
    if !isThere { home.keepLostValue() }
    // The state may have ended during its change.
    guard !isRoot else { return transaction.releaseDiscarded() }
    let write: Write
    switch change {
    case .unobserved:
      if isThere { return transaction.releaseDiscarded() }
      write = Write(path.moved(by: prefix))
    case .property:
      if !isUnchanged, isThere, home.tellOnlyWithin(local(path.range)) { return }
      write = Write(path.moved(by: prefix), isUnchanged ? .parts : .counts)
    case .open: write = Write(home.wholePath, .open)
    }
    write.countsOutwards = !isUnchanged
    home.didChange(write, by: writer)
  }

  func updatePart<R>(by writer: any Writer, _ body: (inout State) throws -> R) rethrows -> R {
    connectListeners()
    checkAct()
    guard isPresent else { return try updateNowhere(by: writer, body) }
    // The change may cut this state off.
    let root = root
    if isAway {
      let change = beginAway(.anywhere, isForced: false)
      let isCompared = change != .unobserved && flags & Self.overlaid == 0
      let old = canCompare && isCompared ? current : nil
      root.transaction.isComparing = true
      hold(writer)
      defer {
        releaseAway()
        // A state that has changed its own identity is not present, and cannot be compared.
        let isUnchanged = old.map { isPresent && isEqual(to: $0) } ?? false
        root.transaction.isComparing = false
        endAway(change, whole, isUnchanged: isUnchanged, by: writer)
        root.transaction.runPostponedIfReleased()
      }
      return try body(&projected)
    }
    let local = whole.moved(by: prefix)
    // Whether the observers of a wider part than this state may have to be notified.
    let isWithinParts =
      flags & (Self.watched | Self.overlaid) == Self.watched && home.isWithinParts(local.range)
    let old = isWithinParts && canCompare ? current : nil
    home.willChange(local.range, isCertain: false)
    root.transaction.isComparing = true
    hold(writer)
    defer {
      release()
      let write = Write(whole, .open)
      if isWithinParts, !(old.map(isEqual(to:)) ?? false) { write.foundChange() }
      root.transaction.isComparing = false
      didChange(write, by: writer)
      root.transaction.runPostponedIfReleased()
    }
    return try body(&projected)
  }

  /// Ends the exclusive access for a change that may have given the state another identity.
  private func releaseAway() {
    // What runs now may cut the state off, which then needs its value.
    if flags & Self.postponed != 0, !isPresent { home.keepLostValue() }
    release()
  }

  /// Runs a body with a copy that is dropped, because what it changes is not in the truth.
  func updateNowhere<R>(
    by writer: any Writer, _ body: (inout State) throws -> R
  ) rethrows -> R {
    var new = current
    defer { writer.hasDropped(from: current, to: new) }
    return try body(&new)
  }
}

extension StateNode {
  /// Whether a change in here concerns no observer and no other state, here and around.
  fileprivate var isUnobserved: Bool {
    transaction.batch == nil && !transaction.records && transaction.inFlight == 0 && parts.isEmpty
      && transaction.optimistic == nil
      && !sites.contains { $0.isActive } && hasNothingAround
  }

  private var hasNothingAround: Bool {
    var inner = self
    while let outer = inner.outer {
      inner = outer.node
      guard inner.parts.isEmpty, !inner.hasSites(at: outer.path.range, except: outer.site)
      else { return false }
    }
    return true
  }

  /// As `tellOnly`, for a state without a fixed address, if the change concerns nothing around it.
  // If this returns `false`, the caller must call `didChange`.
  fileprivate func tellOnlyWithin(_ range: ByteRange) -> Bool {
    let root = root
    guard transaction.batch == nil, !transaction.records, transaction.inFlight == 0,
      !Propagation.isDelivering, !parts.hasComputed,
      access.pointee.isRecent(range, movedBy: 0), let part = access.pointee.recentPart,
      part.isAlone,
      !hasSites(at: range, except: nil), hasNothingAround
    else { return false }
    transaction.tell(only: part)
    // Kept until here, because observers may release it.
    withExtendedLifetime(root) {}
    return true
  }

  // Keeps the value of the outermost state with a new identity. States in it find theirs there.
  fileprivate func keepLostValue() {
    var lost: StateNode?
    var inner = self
    while let outer = inner.outer, !inner.isPresent {
      lost = inner
      inner = outer.node
    }
    lost?.keepChanged()
  }

  fileprivate func isWithinParts(_ range: ByteRange) -> Bool {
    !parts.around(range).isEmpty
  }
}

/// The end of a state that is a part of another one.
extension StateStorage {
  /// The state, while only a pending change shows it.
  var shownOnly: State? { flags & Self.overlaid != 0 ? found : nil }

  var hasLast: Bool { placement?.last != nil }

  func replaceLast(with value: State?) {
    guard let placement else { return }
    if let old = Swift.exchange(&placement.last, with: value) { discard(old) }
  }

  /// Notes that a commit has taken the state away, for good.
  // Until its child has ended, other code may put the state of another child in its place.
  func leavePlace() { placement?.place = nil }

  /// Cuts the storage off from the state around it, so that it keeps only its last value.
  func detach() {
    guard !isRoot else { return }
    transaction.whenReleased { self.leaveOwner() }
  }

  private func leaveOwner() {
    guard !isRoot, let placement else { return }
    // A pending change may show a state in the place of one that is gone.
    let isGone = flags & Self.overlaid != 0 && !isPresent
    let value = isGone ? placement.last ?? current : truth
    // A change in place that is being prepared, or has just ended, still looks at the memory, which may
    // be freed with the owner.
    var isInPlace = !isAway
    if case .inPlace = placement.pinned { isInPlace = true }
    if isInPlace {
      useCopy(of: value)
      placement.pinned = .none
    }
    let held = (placement.owner, placement.place, placement.last)
    (placement.owner, placement.place, placement.last) = (nil, nil, value)
    let nesting = leave()
    setAway()
    withExtendedLifetime((held, nesting)) {}
  }
}
