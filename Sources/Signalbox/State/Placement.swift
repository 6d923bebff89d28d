/// How a storage reaches a state that is a part of another one.
@MainActor final class Placement<State> {
  /// The storage of the state that contains this one, which keeps its memory.
  @safe @exclusivity(unchecked) var owner: AnyObject?
  @safe @exclusivity(unchecked) var place: StatePlace<State>?
  /// The last value of a state that may go with the current change, or is gone.
  var last: State?
  @safe @exclusivity(unchecked) var pinned = Pin.none
  /// Set in a storage that passes each access on: the writer that accesses the state now.
  var writer: (@MainActor () -> any Writer)?
  /// The changes in place that were passed on and have not ended, the innermost last.
  var forwarded: [(target: StateStorage<State>, writer: any Writer, isObserved: Bool)] = []

  init(owner: AnyObject, place: StatePlace<State>? = nil) {
    self.owner = owner
    self.place = place
  }

  func empty() { (last, place, owner) = (nil, nil, nil) }
}

/// The stages of a change in place of a state without a fixed address.
enum Pin {
  case none
  /// The memory is that of the state itself.
  case inPlace(AwayChange)
  /// The state is gone, and the memory is a copy, which is dropped at the end.
  case dropped
}

/// How a change of a state without a fixed address is delivered.
enum AwayChange {
  /// Nothing observes the state or what is around it.
  case unobserved
  /// The change concerns one property.
  case property
  /// All observed parts are compared.
  case open
}
