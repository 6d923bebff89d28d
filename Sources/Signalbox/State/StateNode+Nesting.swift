/// States within states.
///
///     root      \.title  \.settings  \.settings.volume        a child's parts are parts of its home
///      └ site   \.rows
///         └─ place  id 3:  \.text  \.inner.depth             a node for each live element
///
/// A write in a place concerns its own parts, and the parts around its container. A write to a
/// container concerns the places of its live states. All of it is one commit of the root.
extension StateNode {
  var prefix: PathPrefix? { nesting?.prefix }
  var outer: StateNesting.Outer? { nesting?.outer }

  var sites: [Site] { nesting?.sites ?? [] }

  /// The state that has the parts of this one, and is no stored property of another one.
  var home: StateNode { nesting?.home ?? self }

  func add(_ sites: [Site]) {
    if sites.isEmpty { return }
    nested.sites += sites
    updateFlags()
  }

  func remove(_ sites: [Site]) {
    nesting?.sites.removeAll { site in sites.contains { $0 === site } }
    updateFlags()
  }

  private var nested: StateNesting {
    if let nesting { return nesting }
    let nesting = StateNesting()
    self.nesting = nesting
    return nesting
  }

  /// Makes this a state that is a stored property of another one.
  func join(_ owner: StateNode, at prefix: PathPrefix) {
    nested.home = owner.home
    nested.prefix = prefix
    offset = prefix.offset
    access = owner.access
    shared = owner.shared
  }

  /// Makes this a state without a fixed address in another one.
  func join(_ owner: StateNode, at path: StatePath, _ site: Site?) {
    nested.outer = StateNesting.Outer(owner.home, path.moved(by: owner.prefix), site)
    shared = owner.shared
    setAway()
  }

  /// Makes each access look for the state first.
  func setAway() {
    unsafe nested.access.pointee.flags = Self.away
    unsafe access = nested.access
  }

  /// Makes each access ask where it has to go.
  func setForwarding() {
    setAway()
    unsafe nested.access.pointee.flags |= Self.forwarding
    unsafe shared = nested.access
  }

  // Makes this a state of its own. The caller keeps the result until its own work is done.
  func leave() -> StateNesting? {
    let old = nesting
    nesting = StateNesting()
    nesting?.sites = old?.sites ?? []
    becomeRoot()
    unsafe access = nested.access
    unsafe shared = nested.access
    return old
  }

  /// A range of this state as a range of the state of its home.
  func local(_ range: ByteRange) -> ByteRange { range.moved(by: offset) }

  /// Prepares a change, which does not concern the other states of its own site.
  func prepare(_ range: ByteRange, isCertain: Bool, except site: Site?) {
    if transaction.inFlight > 0 { keepUntold(range) }
    let sites =
      hasSites(at: range, except: site)
      ? sites(at: range).filter { $0.isConcerned(byStatesOf: site) } : []
    for site in sites { site.willChange() }
    guard let batch = transaction.batch else {
      for site in sites { site.remember() }
      return remember(range, isCertain: isCertain)
    }
    batch.rememberForLatecomers(range, in: self)
    batch.rewound(within: range, in: self) {
      for site in sites { site.remember() }
      return remember(range, isCertain: isCertain)
    }
  }

  func hasSites(at range: ByteRange, except exempt: Site?) -> Bool {
    sites.contains {
      $0 !== exempt && $0.isActive && $0.path.range.overlaps(range)
        && $0.isConcerned(byStatesOf: exempt)
    }
  }

  func sites(at range: ByteRange) -> [Site] {
    sites.filter { $0.isActive && $0.path.range.overlaps(range) }
  }

  /// Keeps the values that are compared after a change, here and in the states within.
  func rememberAll() {
    for part in parts.ranged { part.remember() }
    for site in sites where site.isActive { site.remember() }
  }

  /// Keeps what is lost with a change that may concern everything in this state.
  func allWillChange() {
    if transaction.inFlight > 0 { keepUntold(ByteRange.anywhere) }
    for site in sites where site.isActive { site.willChange() }
  }
}
