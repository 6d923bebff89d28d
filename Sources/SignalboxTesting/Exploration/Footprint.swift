/// What a step of an exploration has touched.
///
/// Two steps are independent if neither touches what the other one changes. They then lead to the
/// same state in both orders.
struct Footprint: Sendable {
  /// Something that a step has touched, apart from the states of stores.
  enum Part: Hashable, Sendable {
    /// A piece of work or a call, by its place in the order in which they began.
    case process(Int)
    /// The calls that arrive at an endpoint.
    case arrivals(endpoint: Int)
    case clock
    /// The work of a name.
    case name(store: Int, AnyName)
    case hook(store: Int, String)
    /// The subscribers that belong to no hook.
    case subscribers
    /// What a test store keeps for assertions in the order in which it happened.
    case record(store: Int)
    /// The outcomes that the scenario records.
    case outcomes
    /// The conditions that must always hold.
    case conditions
  }

  /// A name of work of any type.
  struct AnyName: Hashable, @unchecked Sendable {
    // Unchecked, because a name need not be sendable. Footprints stay on the main actor.
    private let name: AnyHashable

    init(_ name: any Hashable) { self.name = AnyHashable(name) }
  }

  /// An access to the state of a store.
  private struct Access: Hashable {
    let store: Int
    /// `nil` if it may be anywhere in the state.
    let bytes: Range<Int>?
    let isWrite: Bool

    func overlaps(_ other: Access) -> Bool {
      guard store == other.store else { return false }
      guard let bytes, let otherBytes = other.bytes else { return true }
      return bytes.overlaps(otherBytes)
    }
  }

  private var parts: Set<Part> = []
  private var accesses: Set<Access> = []
  /// Whether the step has touched something of which nothing more is known.
  private var isUnknown = false

  mutating func add(_ part: Part) { parts.insert(part) }

  mutating func addAccess(to store: Int, _ bytes: Range<Int>?, isWrite: Bool) {
    accesses.insert(Access(store: store, bytes: bytes, isWrite: isWrite))
  }

  mutating func addUnknown() { isUnknown = true }

  /// Adds what another footprint has touched.
  ///
  /// - Returns: whether there was something that this footprint has not touched.
  mutating func add(_ other: Footprint) -> Bool {
    let before = (accesses.count, parts.count, isUnknown)
    accesses.formUnion(other.accesses)
    parts.formUnion(other.parts)
    if other.isUnknown { isUnknown = true }
    return (accesses.count, parts.count, isUnknown) != before
  }

  /// Whether two steps can be exchanged.
  func isIndependent(of other: Footprint) -> Bool {
    !isUnknown && !other.isUnknown && parts.isDisjoint(with: other.parts)
      && !writes(whatIsReadBy: other) && !other.writes(whatIsReadBy: self)
  }

  /// Whether a step writes to a state what another one reads or writes.
  func writes(whatIsReadBy other: Footprint) -> Bool {
    accesses.contains { access in
      access.isWrite && other.accesses.contains { $0.overlaps(access) }
    }
  }

  /// Whether a step may change what a condition has read.
  func mayChange(whatIsReadBy condition: Footprint) -> Bool {
    isUnknown || condition.isUnknown || writes(whatIsReadBy: condition)
      || !parts.isDisjoint(with: condition.parts)
  }
}
