/// The access to a state that is in progress, the flags of the state, and what most writes need.
///
/// All storages within one memory share it, so a part of a state is written to like the state itself.
@safe @usableFromInline struct AccessState {
  /// The flags of `StateNode`.
  @usableFromInline var flags: UInt8 = 0
  /// The object that is changing the state in place.
  ///
  /// It is valid only while `held` is set, and it is only compared.
  @usableFromInline unowned(unsafe) var holder: AnyObject?

  /// The range that was looked up last, if exactly one observed part lies within it, which has it.
  ///
  /// A property that was written to is often written to again.
  private(set) var recentLower = -2
  private(set) var recentUpper = -2
  private(set) var recentType = ObjectIdentifier(AccessState.self)
  /// The part with that range, which is forgotten before the node lets go of it.
  private unowned(unsafe) var part: ObservedPart?

  init() {}

  /// Whether a range was looked up last.
  ///
  /// - Parameter offset: where the state with the range begins in the memory. A path without a range
  ///   has an empty one, which was never looked up at any offset.
  @inline(__always) func isRecent(_ range: ByteRange, movedBy offset: Int) -> Bool {
    range.lower &+ offset == recentLower && range.upper &+ offset == recentUpper
      && range.type == recentType
  }

  /// The part with the range that was looked up last.
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
