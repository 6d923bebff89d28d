/// The states around and within a state; most states have none, and no such object.
@MainActor @safe final class StateNesting {
  /// The state around one without a fixed address, an object because every change reads it.
  @MainActor final class Outer {
    let node: StateNode
    /// The property that contains the state.
    let path: StatePath
    /// `nil` for a part that is as permanent as the state around it.
    let site: Site?

    init(_ node: StateNode, _ path: StatePath, _ site: Site?) {
      self.node = node
      self.path = path
      self.site = site
    }
  }

  /// The state that has the parts of this one, if this one is a stored property in it.
  @safe @exclusivity(unchecked) var home: StateNode?
  @safe @exclusivity(unchecked) var prefix: PathPrefix?
  @safe @exclusivity(unchecked) var outer: Outer?
  @safe @exclusivity(unchecked) var sites: [Site] = []
  /// The flags of a state without a fixed address, and of one that was cut off.
  // Used on the main actor, and freed by the deinit.
  nonisolated(unsafe) let access: UnsafeMutablePointer<AccessState>

  init() {
    unsafe access = .allocate(capacity: 1)
    unsafe access.initialize(to: AccessState())
  }

  deinit {
    // Nothing uses the memory any more. A node that points to it keeps this object.
    unsafe access.deallocate()
  }
}
