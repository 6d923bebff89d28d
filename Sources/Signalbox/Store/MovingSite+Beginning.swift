extension MovingSite {
  var identityOfOnly: ChildIdentity<State>? { collection.identityOfOnly }

  /// The child with an id, or the only one, begun if necessary; `nil` if its state is not there.
  ///
  /// - Parameter asShown: whether a child that a pending change hides is not there.
  func begun(_ id: ID?, asShown: Bool) -> Record? {
    let asShown = asShown && isOverlaid
    guard let id = id ?? anyID(asShown: asShown), !asShown || isShown(id) else { return nil }
    if let child = child(id) {
      if !shownOnly.isEmpty { beginIfTrue(child) }
      if child.isThere { return child.record }
      // Another state may have come in its place, before the child has ended.
      guard child.storage.place == nil else { return nil }
      end(child)
    }
    guard !isClosed, owner.engine != nil, isInCollection(id) || isShown(id) else { return nil }
    return beginNested(id)
  }

  /// The id of the only state: the shown one, or the true one and else the shown one.
  private func anyID(asShown: Bool) -> ID? {
    let id = asShown ? nil : owner.storage.readingTruth { collection.anyID }
    return id == nil && isOverlaid ? owner.storage.reading { collection.anyID } : id
  }

  private func isShown(_ id: ID) -> Bool {
    isOverlaid && owner.storage.reading { collection.place(of: id) } != nil
  }

  func beginNew() {
    if !shownOnly.isEmpty { beginShown() }
    guard owner.beginsChildren else { return }
    if case .unknown = beginning { findOut() }
    guard case .always = beginning else { return }
    if let fresh {
      guard begin(owner.storage.readingTruth { collection.ids(in: fresh) }) else { return }
      // If there are more states than children, two have one id.
      if live.count == owner.storage.readingTruth({ collection.count }) { return }
    }
    _ = begin(ids())
  }

  private func beginShown() {
    for child in shownOnly { beginIfTrue(child) }
    shownOnly.removeAll { $0.isOver || !$0.record.engine.isWithheld }
  }

  /// Begins a child that was asked for too early, once its state is a part of the truth.
  private func beginIfTrue(_ child: Live) {
    guard !child.isOver, child.record.engine.isWithheld, child.storage.isPresent else { return }
    owner.storage.checkIsNotReading()
    Nesting.child { Propagation.withoutOwner { beginTrue(child.record) } }
  }

  /// Returns `false` once a child has changed the collection: children that are gone end first.
  private func begin(_ ids: [ID]) -> Bool {
    for id in ids where record(id) == nil && !isMaking(id) {
      _ = beginNested(id)
      if needsUpdate { return false }
    }
    return true
  }

  /// Makes a child, and ends it again if its kind has no children that must be begun.
  private func findOut() {
    guard making.isEmpty, let id = owner.storage.readingTruth({ collection.anyID }),
      record(id) == nil,
      beginNested(id) != nil, case .onDemand = beginning,
      let child = child(id)
    else { return }
    keepLast(of: child)
    end(child)
    compactIfWorthwhile()
  }

  private func beginNested(_ id: ID) -> Record? {
    owner.storage.checkIsNotReading()
    // The child that began before may have released the parent.
    guard !isClosed, owner.engine != nil else { return nil }
    return Nesting.child { Propagation.withoutOwner { begin(id) } }
  }

  private func isMaking(_ id: ID) -> Bool {
    let making = making
    return owner.storage.reading { making.contains(id) }
  }

  private func begin(_ id: ID) -> Record? {
    if isMaking(id) { ChildPath.trapMaking(path(of: id)) }
    making.append(id)
    let handler = makeHandler(id)
    making.removeLast()
    owner.connectListeners()
    // The code that prints the log may have asked for the child.
    if let begun = child(id) { return begun.isThere ? begun.record : nil }
    // That code, or the closure that makes the interactor, may have removed the child.
    let inTruth = owner.storage.readingTruth { collection.place(of: id) }
    let place = inTruth ?? (isOverlaid ? owner.storage.reading { collection.place(of: id) } : nil)
    guard let place, !isClosed else { return nil }
    let storage = StateStorage(
      at: place, within: owner.storage, path: collection.path, site: self)
    let record = Record(storage, handler, at: collection.childPath(of: id), of: owner)
    let child = Live(id, record, place)
    live.add(child, in: owner.storage)
    collection.list(place)
    if keptIn != nil { unlike.append(storage) }
    // The copies that are kept of the collections around do not contain its state.
    owner.storage.home.noteOwnChange()
    owner.storage.root.updateFlags()
    if inTruth == nil {
      // A pending change begins no child (O3).
      collection.noteMissing(place.slot)
      shownOnly.append(child)
      record.begin(isTrue: false)
    } else {
      beginTrue(record)
    }
    return self.record(id) === record ? record : nil
  }

  /// Begins a child whose state is in the truth, which also tells when the others begin.
  private func beginTrue(_ record: Record) {
    record.begin(isTrue: true)
    if case .unknown = beginning {
      beginning = record.engine.declared == nil ? .onDemand : .always
    }
  }
}
