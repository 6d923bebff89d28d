/// Learns which parts of a state are read and written.
@MainActor package protocol StateTracker: AnyObject {
  /// Called before a part is read or written.
  ///
  /// - Parameters:
  ///   - bytes: where the part lies in the state; `nil` if it may lie anywhere.
  ///   - isWrite: whether the part may change.
  ///   - work: the number of the first event of the work on whose behalf it is written.
  func accesses(_ bytes: Range<Int>?, isWrite: Bool, work: Int?)
}

extension ObserverRegistry {
  /// Notes that a part is read, and traps if a read is not possible now.
  @usableFromInline func willRead(_ range: ByteRange) {
    if flags & Self.held != 0 { trapHeld() }
    if let tracker = root.tracker { tracker.accesses(bytes(of: range), isWrite: false, work: nil) }
  }

  /// Notes that a part is about to be written.
  @inline(__always) func willWrite(_ range: ByteRange, by writer: any Writer) {
    if let tracker = root.tracker {
      tracker.accesses(bytes(of: range), isWrite: true, work: writer.workOfWrites)
    }
  }

  /// Where a part of this state lies in the outermost one; `nil` if it may lie anywhere.
  func bytes(of range: ByteRange) -> Range<Int>? {
    var (registry, range) = (home, local(range))
    while let outer = registry.outer { (registry, range) = (outer.registry, outer.path.range) }
    return range.bytes
  }
}

extension ByteRange {
  fileprivate var bytes: Range<Int>? { hasRange ? lower..<upper : nil }
}
