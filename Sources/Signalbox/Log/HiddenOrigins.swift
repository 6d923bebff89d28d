/// Finds the events whose values are hidden, and remembers the origins of hidden hook values (D4).
///
/// Later values of these origins are hidden, too, because an operator may remember a hidden value.
/// So it must see every event, even one of which no text is made.
@MainActor package struct HiddenOrigins {
  private var origins: Set<Provenance> = []
  /// How many events were searched for each origin that is not hidden so far.
  private var searched: [Provenance: Int] = [:]

  nonisolated package init() {}

  /// Whether the value of a hook, or a dropped change of a child, must be hidden.
  ///
  /// Nothing else in an event is a part of a state. Without a state, the value is hidden.
  package mutating func hide<State, Action>(
    _ event: StoreEvent<State, Action>, in state: State?
  ) -> Bool {
    switch event.kind {
    case .hookFired, .derived: return hide(hook: event, in: state)
    case .child(let child):
      let event = child.event
      switch event.kind {
      case .hookFired, .derived: return child.isHidden || hide(hook: event, in: child.state)
      case .dropped(.change): return child.isHidden
      default: return false
      }
    default: return false
    }
  }

  /// Whether it must be hidden if all earlier states are known, of which an operator may keep a value.
  package mutating func hide<State, Action>(
    _ event: StoreEvent<State, Action>, after earlier: ArraySlice<StoreEvent<State, Action>>
  ) -> Bool {
    if case .child = event.kind { return hide(event, in: nil) }
    if origins.contains(event.provenance) { return true }
    let isHidden = earlier.dropFirst(searched[event.provenance] ?? 0).contains { earlier in
      switch earlier.kind {
      case .started(let state), .stateChanged(_, let state): DebugStore.hides(event, in: state)
      default: false
      }
    }
    searched[event.provenance] = earlier.count
    if isHidden { origins.insert(event.provenance) }
    return isHidden
  }

  private mutating func hide<State, Action>(
    hook event: StoreEvent<State, Action>, in state: State?
  ) -> Bool {
    if origins.contains(event.provenance) { return true }
    let isHidden = state.map { DebugStore.hides(event, in: $0) } ?? true
    // Added to a copy, because user code hashes key paths and may cause another event.
    if isHidden { origins = origins.union([event.provenance]) }
    return isHidden
  }
}
