/// Changes in place of a state without a fixed address.
extension StateStorage {
  /// Until `endPinned`, `memory` is the state itself, or a copy if the state is gone.
  func beginPinned(_ range: ByteRange, by writer: any Writer) {
    checkAct()
    guard isPresent, let place else { return useCopyToDrop() }
    let change = beginAway(range, isForced: false)
    beginComparison()
    // The pointer outlives the closure. That is right because the way to the state consists of
    // stored properties, optionals, and elements of arrays and dictionaries, whose memory this
    // access has made unique, and no one can copy, change or release any of them while `held` is
    // set. The memory around is kept by `placement`, until `leaveOwner` makes a copy.
    hold(writer)
    // The way there hashes the keys of dictionaries.
    reading {
      place.innermostCase?.open()
      unsafe withUnsafeMutablePointer(to: &projected) { unsafe memory = $0 }
    }
    release()
    placement?.pinned = .inPlace(change)
    guard let enumCase = place.innermostCase else { return }
    // The first body that waits for the end of the access, because others may read the state.
    transaction.postpone(mayRead: false) { enumCase.close(keepsPayload: true) }
  }

  private func useCopyToDrop() {
    useCopy(of: current)
    placement?.pinned = .dropped
  }

  func endPinned(_ path: StatePath, isUnchanged: Bool, by writer: any Writer) {
    guard let placement else { return }
    let pin = Swift.exchange(&placement.pinned, with: .none)
    placement.place?.innermostCase?.finish()
    let root = endComparison()
    defer { root?.transaction.runPostponedIfReleased() }
    switch pin {
    case .none:
      // The state was cut off during the change.
      transaction.releaseDiscarded()
    case .inPlace(let change):
      endAway(change, path, isUnchanged: isUnchanged, by: writer)
    case .dropped: endDropped(by: writer)
    }
  }

  private func endDropped(by writer: any Writer) {
    guard let copy = takeCopy() else { return }
    writer.hasDropped(from: current, to: copy)
    // What was dropped is not kept with the copy.
    if unsafe ownership == .copy { useCopy(of: current) }
    transaction.releaseDiscarded()
  }

  /// Makes `memory` a copy of the state, which this storage owns until `takeCopy`.
  func useCopy(of value: State) {
    if unsafe ownership == .copy {
      return discard(unsafe Swift.exchange(&memory.pointee, with: value))
    }
    unsafe memory = .allocate(capacity: 1)
    unsafe memory.initialize(to: value)
    unsafe ownership = .copy
  }

  /// Returns the copy, and frees it unless the storage was cut off.
  // That may happen in the middle of an access, which reads the copy once more when it ends.
  private func takeCopy() -> State? {
    guard unsafe ownership == .copy else { return nil }
    guard !isRoot else { return unsafe memory.pointee }
    unsafe ownership = .others
    let value = unsafe memory.move()
    unsafe memory.deallocate()
    return value
  }
}
