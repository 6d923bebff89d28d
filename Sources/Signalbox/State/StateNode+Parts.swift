/// The list of observed parts.
extension StateNode {
  func list(_ part: ObservedPart) {
    if part.path.hasRange { access.pointee.forgetRecent() } else { part.remember() }
    // Hashes the key path, if it has no range.
    reading { parts.insert(part) }
    updateFlags()
  }

  func findPart(_ path: StatePath) -> ObservedPart? {
    if path.hasRange { return parts.find(path) }
    // A hash may ask for a part while the index is being changed.
    checkIsNotReading()
    return reading { parts.find(path) }
  }

  /// Whether observed parts may differ although the value with a range is equal.
  func concernsParts(of range: ByteRange) -> Bool {
    parts.hasComputed || transaction.batch != nil || !sites.isEmpty || outer != nil
      || parts.indices(within: range).contains { parts.ranged[$0].mayBePart(of: range) }
  }

  func unlist(_ part: ObservedPart) {
    if part.path.hasRange { access.pointee.forgetRecent() }
    reading { parts.remove(part) }
    part.forget()
    updateFlags()
  }
}
