/// What a registry knows of the states around and within its own state.
///
/// Most states have none, so their registries have no such object.
@MainActor @safe final class StateNesting {
  /// The registry in which a state without a fixed address lies.
  // An object, because every change of the state reads it.
  @MainActor final class Outer {
    let registry: ObserverRegistry
    /// The property that contains the state.
    let path: StatePath
    /// `nil` for a part that is as permanent as the state around it.
    let site: Site?

    init(_ registry: ObserverRegistry, _ path: StatePath, _ site: Site?) {
      self.registry = registry
      self.path = path
      self.site = site
    }
  }

  /// The registry of the parts of this state, if this state is a stored property of its state.
  @safe @exclusivity(unchecked) var host: ObserverRegistry?
  /// Where this state lies in that of its host.
  @safe @exclusivity(unchecked) var prefix: PathPrefix?
  /// The registry around a state without a fixed address.
  @safe @exclusivity(unchecked) var outer: Outer?
  /// The registry of the outermost state, if this is another one.
  @safe @exclusivity(unchecked) var outermost: ObserverRegistry?
  /// The containers of states that come and go.
  @safe @exclusivity(unchecked) var sites: [Site] = []
  /// The other registries within this one that record their state.
  @safe @exclusivity(unchecked) var recorders: [ObserverRegistry] = []
  /// The flags of a state without a fixed address, and of one that was cut off.
  // Used on the main actor, and freed by the deinit.
  nonisolated(unsafe) let access: UnsafeMutablePointer<AccessState>

  init() {
    unsafe access = .allocate(capacity: 1)
    unsafe access.initialize(to: AccessState())
  }

  deinit {
    // Nothing uses the memory any more. A registry that points to it keeps this object.
    unsafe access.deallocate()
  }
}
