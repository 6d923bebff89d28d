/// The access in progress to a state, and the flags of the state.
// All storages within one memory share it, so a part is written to like the state itself.
@safe @usableFromInline struct AccessState {
  @usableFromInline var flags: UInt8 = 0
  /// The object that changes the state in place, only compared, and only while `held` is set.
  @usableFromInline unowned(unsafe) var holder: AnyObject?

  /// The last range looked up, kept if exactly one observed part lies in it and has that range.
  // A property is often written to again.
  private(set) var recentLower = -2
  private(set) var recentUpper = -2
  private(set) var recentType = ObjectIdentifier(AccessState.self)
  /// The part with that range, which is forgotten before the node lets go of it.
  private unowned(unsafe) var part: ObservedPart?

  init() {}

  // A path without a range is never recent. It has an empty range, which was never looked up.
  @inline(__always) func isRecent(_ range: ByteRange, movedBy offset: Int) -> Bool {
    range.lower &+ offset == recentLower && range.upper &+ offset == recentUpper
      && range.type == recentType
  }

  @inline(__always) var recentPart: ObservedPart? { unsafe part }

  mutating func noteRecent(_ range: ByteRange, _ part: ObservedPart) {
    recentLower = range.lower
    recentUpper = range.upper
    recentType = range.type
    unsafe self.part = part
  }

  mutating func forgetRecent() {
    recentLower = -2
    recentUpper = -2
    unsafe part = nil
  }
}
