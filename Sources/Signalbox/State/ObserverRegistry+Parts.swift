/// The list of observed parts.
extension ObserverRegistry {
  func list(_ part: ObservedPart) {
    if !part.path.hasRange { part.remember() }
    changeIndex(part.path) { parts.insert(part) }
    updateFlags()
  }

  /// The listed part of a path.
  func findPart(_ path: StatePath) -> ObservedPart? {
    guard !path.hasRange else { return parts.find(path) }
    checkHash()
    // A copy, which user code in `hash(into:)` and `==` cannot change.
    let parts = parts
    return parts.find(path)
  }

  /// Whether observed parts may differ although the value with a range is equal.
  func concernsParts(of range: ByteRange) -> Bool {
    parts.hasComputed || root.batch != nil || !sites.isEmpty || outer != nil
      || parts.indices(within: range).contains { parts.ranged[$0].mayBePart(of: range) }
  }

  /// Changes the index of parts.
  ///
  /// User code hashes and compares key paths during the change.
  private func changeIndex(_ path: StatePath, _ body: () -> Void) {
    guard !path.hasRange else {
      access.pointee.forgetRecent()
      return body()
    }
    checkHash()
    isChangingIndex = true
    body()
    isChangingIndex = false
  }

  private func checkHash() {
    guard isChangingIndex else { return }
    fatalError(
      """
      A subscription began or ended in `hash(into:)` or `==` of an index in a key path. Both must \
      only read their values. Subscribe and cancel in an action or a hook instead.
      """)
  }

  func unlist(_ part: ObservedPart) {
    changeIndex(part.path) { parts.remove(part) }
    part.forget()
    updateFlags()
    releaseDiscarded()
  }
}
