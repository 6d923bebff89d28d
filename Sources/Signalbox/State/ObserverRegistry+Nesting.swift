/// States within states, with one registry for each state that has an address of its own.
///
///     root      \.title  \.settings  \.settings.volume        a child's parts are parts of its host
///      └ site   \.rows
///         └─ place  id 3:  \.text  \.inner.depth             a registry for each live element
///
/// A write in a place concerns its own parts, and the parts around its container. A write to a
/// container concerns the places of its live states. All of it is one commit of the root.
extension ObserverRegistry {
  /// The registry in which a state without a fixed address lies.
  struct Outer {
    let registry: ObserverRegistry
    /// The property that contains the state.
    let path: StatePath
    /// `nil` for a part that is as permanent as the state around it.
    let site: Site?
    /// Whether a change reaches the container directly, and not through a setter.
    let isInPlace: Bool

    /// The site that a change of the state does not concern.
    ///
    /// A setter may change or remove any state, even this one.
    var bystander: Site? { isInPlace ? site : nil }
  }

  /// The registry of the parts of this state.
  var home: ObserverRegistry { host ?? self }
  /// The registry of the outermost state, which makes all commits.
  var root: ObserverRegistry { outermost ?? self }

  /// Makes this the registry of a state that is a part of another one.
  func join(_ owner: ObserverRegistry) {
    outermost = owner.root
    shared = owner.shared
  }

  /// Makes each access look for the state first.
  func setAway() {
    unsafe own.pointee.flags = Self.away
    unsafe access = own
  }

  /// Makes this the registry of a state of its own.
  func leave() {
    let old = (host, prefix, outer, outermost)
    // A comparison in here may be what ends this state, and nothing else would end that stage.
    shared.pointee.flags &= ~Self.readOnly
    (host, prefix, outer, outermost) = (nil, nil, nil, nil)
    unsafe own.initialize(to: AccessState())
    unsafe access = own
    unsafe shared = own
    withExtendedLifetime(old) {}
  }

  /// A range of this state as a range of the state of its home.
  func local(_ range: ByteRange) -> ByteRange {
    guard let prefix else { return range }
    return range.moved(by: prefix.offset)
  }

  /// Prepares a change of this state.
  ///
  /// - Parameter site: the site of the change, whose other states it does not concern.
  @discardableResult
  func prepare(_ range: ByteRange, isCertain: Bool, except site: Site?) -> Int {
    if root.inFlight > 0 { keepUntold(range) }
    let sites = sites.isEmpty ? [] : self.sites(at: range).filter { $0 !== site }
    for site in sites { site.willChange() }
    guard let batch = root.batch else {
      for site in sites { site.remember() }
      return remember(range, isCertain: isCertain)
    }
    batch.rememberForLatecomers(range, in: self)
    return batch.rewound(within: range, in: self) {
      for site in sites { site.remember() }
      return remember(range, isCertain: isCertain)
    }
  }

  /// The sites with states that a change of a range may concern.
  func sites(at range: ByteRange) -> [Site] {
    sites.filter { $0.isActive && $0.path.range.overlaps(range) }
  }

  /// Keeps the values of all parts that are to be compared after a change, including those of
  /// states within this one.
  func rememberAll() {
    for part in parts.ranged { part.remember() }
    for site in sites where site.isActive { site.remember() }
  }

  /// Keeps what is lost with a change that may concern everything in this state.
  func allWillChange() {
    if root.inFlight > 0 { keepUntold(ByteRange.anywhere) }
    for site in sites where site.isActive { site.willChange() }
  }

  /// Whether the change of this state or of a state within it is recorded.
  var records: Bool { isRecording || !recorders.isEmpty }

  /// The states that are recorded, from the outermost one inwards.
  var recorded: [ObserverRegistry] { isRecording ? [self] + recorders : recorders }
}
