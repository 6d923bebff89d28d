/// Changes of a state that is a part of another one.
extension StateStorage {
  /// Begins a change in place of a state without a fixed address.
  func beginPinned(_ range: ByteRange, by writer: any Writer) {
    checkWrite()
    willWrite(range, by: writer)
    guard isPresent, place != nil else { return pinCopy() }
    let change = beginAway(range, isForced: false)
    checkIsCurrent(writer)
    guard isStillThere(after: change), let place else { return pinCopy() }
    pinned = .changing(change, isInPlace: place.isInPlace)
    if place.isInPlace {
      // An element keeps its address as long as nothing else changes the state around it, and until
      // `release` nothing can.
      unsafe memory = withUnsafeMutablePointer(to: &projected) { unsafe $0 }
    } else {
      unsafe memory = .allocate(capacity: 1)
      unsafe memory.initialize(to: current)
    }
  }

  /// Begins a change that is dropped, because the state is gone.
  private func pinCopy() {
    pinned = unsafe .dropped(memory)
    unsafe memory = .allocate(capacity: 1)
    unsafe memory.initialize(to: current)
  }

  /// Ends a change in place of a state without a fixed address.
  func endPinned(_ path: StatePath, isUnchanged: Bool, by writer: any Writer) {
    switch Swift.exchange(&pinned, with: .none) {
    case .none: break
    case .changing(let change, isInPlace: true):
      endAway(change, path, isUnchanged: isUnchanged, by: writer)
    case .changing(let change, isInPlace: false):
      let value = takeCopy()
      if let place {
        let old = current
        assign(value, behindSetterIn: place)
        discard(old)
      }
      endAway(change, path, isUnchanged: isUnchanged, by: writer)
    case .dropped(let memory):
      let new = takeCopy()
      unsafe self.memory = memory
      writer.hasDropped(from: current, to: new)
    }
  }

  private func takeCopy() -> State {
    let value = unsafe memory.move()
    unsafe memory.deallocate()
    return value
  }

  /// Assigns a value in a state without a fixed address.
  func assignAway<T>(
    _ value: T, to keyPath: WritableKeyPath<State, T>, _ path: StatePath, isForced: Bool,
    by writer: any Writer, _ areEqual: ((T, T) -> Bool)?
  ) {
    guard isPresent else {
      var new = current
      new[keyPath: keyPath] = value
      return writer.hasDropped(from: current, to: new)
    }
    // Kept, so that it is released when everything else is done.
    let old = readComputed(keyPath)
    var isUnchanged = false
    if !isForced, let areEqual { isUnchanged = reading { areEqual(old, value) } }
    // A setter may change anything, even if the property stays equal.
    if isUnchanged, !path.hasRange, KeyPathShape(keyPath).hasSetter { isUnchanged = false }
    let change = beginAway(path.range, isForced: isForced)
    // The comparison, or a getter, may have cancelled the writer.
    guard writer.target === self, isStillThere(after: change) else {
      home.willNotChange()
      return detachedTarget(of: writer)
        .assign(value, to: keyPath, path: path, isForced: true, by: writer)
    }
    hold(writer)
    projected[keyPath: keyPath] = value
    release()
    discard(old)
    endAway(change, path, isUnchanged: isUnchanged, by: writer)
  }

  /// Prepares a change of a property.
  ///
  /// In a batch, and for a property without a range, all observed parts of the state are compared,
  /// because the state may move before the end of the batch.
  func beginAway(_ range: ByteRange, isForced: Bool) -> AwayChange {
    if home.isUnobserved { return .unobserved }
    guard isForced || (root.batch == nil && range.hasRange) else {
      home.willChange(home.wholePath.range, isCertain: false)
      return .open
    }
    home.willChange(local(range), isCertain: true)
    return .property
  }

  /// Whether the state is still there after `beginAway`, or after a comparison before it.
  ///
  /// A getter or the comparison may have ended it. In a batch, values from before the batch were in
  /// memory for a while, and the place may lead to where the state was then.
  private func isStillThere(after change: AwayChange) -> Bool {
    place != nil && (change == .unobserved || isPresent)
  }

  private func endAway(
    _ change: AwayChange, _ path: StatePath, isUnchanged: Bool, by writer: any Writer
  ) {
    // The state may have ended during its change.
    guard outermost != nil else { return releaseDiscarded() }
    home.keepLostValues()
    let write: Write
    switch change {
    case .unobserved:
      if isPresent { return root.releaseDiscarded() }
      write = Write(path.moved(by: prefix))
    case .property: write = Write(path.moved(by: prefix), isUnchanged ? .parts : .counts)
    case .open: write = Write(home.wholePath, .open)
    }
    write.countsOutwards = !isUnchanged
    home.didChange(write, by: writer)
  }

  /// Runs a body with exclusive access to a state that is a part of another one.
  func updatePart<R>(by writer: any Writer, _ body: (inout State) throws -> R) rethrows -> R {
    connectListeners()
    checkWrite()
    willWrite(whole.range, by: writer)
    guard isPresent else { return try updateNowhere(by: writer, body) }
    if isAway {
      let change = beginAway(.anywhere, isForced: false)
      checkIsCurrent(writer)
      guard isStillThere(after: change) else { return try updateNowhere(by: writer, body) }
      let old = canCompare && change != .unobserved ? reading { projected } : nil
      hold(writer)
      defer {
        release()
        let isUnchanged = old.map(isEqual(to:)) ?? false
        endAway(change, whole, isUnchanged: isUnchanged, by: writer)
      }
      return try body(&projected)
    }
    let local = whole.moved(by: prefix)
    // Whether a wider part than this state may have to be told.
    let isWithinParts = flags & Self.watched != 0 && home.isWithinParts(local.range)
    let old = isWithinParts && canCompare ? current : nil
    home.willChange(local.range, isCertain: false)
    checkIsCurrent(writer)
    guard !isAway else { return try updateNowhere(by: writer, body) }
    hold(writer)
    defer {
      release()
      let write = Write(whole, .open)
      if isWithinParts, !(old.map(isEqual(to:)) ?? false) { write.foundChange() }
      didChange(write, by: writer)
    }
    return try body(&projected)
  }

  /// Runs a body with a copy that is dropped, because the state is gone.
  private func updateNowhere<R>(
    by writer: any Writer, _ body: (inout State) throws -> R
  ) rethrows -> R {
    var new = current
    defer { writer.hasDropped(from: current, to: new) }
    return try body(&new)
  }
}

/// How a change of a state without a fixed address is told.
enum AwayChange {
  /// Nothing observes the state or what is around it.
  case unobserved
  /// The change concerns one property.
  case property
  /// All observed parts are compared.
  case open
}

/// The stages of a change in place of a state without a fixed address.
@safe enum Pin<State> {
  case none
  /// - Parameter isInPlace: whether the memory is that of the state itself, and not a copy.
  case changing(AwayChange, isInPlace: Bool)
  /// The state is gone, and a copy is changed and dropped.
  ///
  /// - Parameter memory: the memory that the storage has besides the copy.
  case dropped(UnsafeMutablePointer<State>)
}

extension ObserverRegistry {
  /// Whether a change in here concerns no observer and no other state, here and around.
  fileprivate var isUnobserved: Bool {
    if root.batch != nil || root.records || root.inFlight > 0 { return false }
    guard parts.isEmpty, !sites.contains(where: \.isActive) else { return false }
    var inner = self
    while let outer = inner.outer {
      inner = outer.registry
      guard inner.parts.isEmpty else { return false }
      for site in inner.sites
      where site !== outer.bystander && site.isActive && site.path.range.overlaps(outer.path.range)
      {
        return false
      }
    }
    return true
  }

  /// Keeps the values of states that a write has given another identity.
  fileprivate func keepLostValues() {
    var inner = self
    while let outer = inner.outer {
      if outer.site != nil { inner.keepLostValue() }
      inner = outer.registry
    }
  }

  /// Whether there may be observed parts around a range.
  fileprivate func isWithinParts(_ range: ByteRange) -> Bool {
    !parts.around(range).isEmpty
  }
}

/// The end of a state that is a part of another one.
extension StateStorage {
  /// Keeps the value of a state that may go with the change that follows.
  func keepLast() {
    if isPresent, let place { replaceLast(with: reading { place.state }) }
  }

  /// Keeps the value of a state that its own change has given another identity.
  ///
  /// The place still leads to it after a change in place. A setter was given the value that was kept.
  func keepUnreachable() {
    if let place, place.isInPlace || last == nil, !isPresent {
      replaceLast(with: reading { place.state })
    }
  }

  /// Assigns the state through a setter, which may make it unreachable.
  func assign(_ value: State, behindSetterIn place: StatePlace<State>) {
    place.state = value
    if last != nil { replaceLast(with: value) }
  }

  /// Drops that value, because the state has stayed.
  ///
  /// A state that has ended in the meantime has nothing but that value.
  func forgetLast() {
    if outermost != nil { replaceLast(with: nil) }
  }

  func replaceLast(with value: State?) {
    if let old = Swift.exchange(&last, with: value) { discard(old) }
  }

  /// Cuts the storage off from the state around it, so that it keeps only its last value.
  func detach() {
    guard outermost != nil else { return }
    root.whenReleased { self.leaveOwner() }
  }

  private func leaveOwner() {
    guard outermost != nil else { return }
    let value = current
    let held = (owner, place, last)
    (owner, place, last) = (nil, nil, value)
    switch pinned {
    case .none where isAway: break
    case .none, .changing(_, isInPlace: true):
      // A change that is being prepared, or has just ended, still looks at the value.
      unsafe memory = .allocate(capacity: 1)
      unsafe memory.initialize(to: value)
      unsafe ownsMemory = true
    case .changing(_, isInPlace: false), .dropped: break
    }
    leave()
    setAway()
    withExtendedLifetime(held) {}
  }
}
