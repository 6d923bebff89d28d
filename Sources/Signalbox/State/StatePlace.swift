/// The way to a state that lies within another one and has no fixed address.
///
///     \.editor            the value of an optional
///     \.rows, id 3        an element of an array, whose index is checked before it is trusted
///     \.sensors["roof"]   a value of a dictionary
///     \.route.session     the payload of an enum case
///     \.note.title        a property of a state that has no fixed address itself
///
/// The state is read and changed in place through the state around it, so no address outlives an
/// access, and nothing is copied.
@MainActor class StatePlace<State> {
  /// Whether the state is there; may run `==` and `hash(into:)` of an identity.
  var isPresent: Bool { true }

  /// The state, if it is there, found and read in one step that asks each state around it once.
  var found: State? { isPresent ? state : nil }

  /// The same without an optional, because generic code looks up its metadata each time.
  func state(or other: () -> State) -> State { found ?? other() }

  /// Its number among the live states of its collection; -1 before it is one of them.
  @safe @exclusivity(unchecked) final var slot = -1
  /// The innermost case of an enum around the state; `nil` if there is none.
  final let caseAround: (any OpenableCase)?
  /// The same, or the case whose payload the state is.
  var innermostCase: (any OpenableCase)? { caseAround }

  init<Owner>(in owner: StateStorage<Owner>) {
    caseAround = owner.place?.innermostCase
  }

  /// The value of the state while it is not present, if the state around it has it.
  // So what is kept of a state that goes is kept of all states in it.
  var lastState: State? { nil }

  /// The state to which the place leads right after a change in place, whatever identity it has.
  var changedState: State? { lastState }

  /// The state, which must be present.
  var state: State {
    get { fatalError("A subclass of StatePlace must override state.") }
    set { fatalError("A subclass of StatePlace must override state.") }
  }
}

/// A property of a state that has no fixed address itself.
final class PropertyPlace<Owner, State>: StatePlace<State> {
  private let owner: StateStorage<Owner>
  private let keyPath: KeyPath<Owner, State>

  init(_ keyPath: KeyPath<Owner, State>, of owner: StateStorage<Owner>) {
    self.owner = owner
    self.keyPath = keyPath
    super.init(in: owner)
  }

  override var isPresent: Bool { owner.isPresent }

  override var found: State? { owner.found.map { $0[keyPath: keyPath] } }

  override var lastState: State? { owner.current[keyPath: keyPath] }

  override var state: State {
    get { owner.projected[keyPath: keyPath] }
    _modify {
      // `Child` takes writable key paths only.
      let keyPath = unsafe unsafeDowncast(keyPath, to: WritableKeyPath<Owner, State>.self)
      yield &owner.projected[keyPath: keyPath]
    }
  }
}

/// The value of an optional.
final class OptionalPlace<Owner, State>: StatePlace<State> {
  private let owner: StateStorage<Owner>
  private let keyPath: WritableKeyPath<Owner, State?>
  /// Whether a value is that state; `nil` if any is.
  private let isSame: ((State) -> Bool)?
  private let offset: Int?

  init(
    _ keyPath: WritableKeyPath<Owner, State?>, of owner: StateStorage<Owner>,
    isSame: ((State) -> Bool)?
  ) {
    self.owner = owner
    self.keyPath = keyPath
    self.isSame = isSame
    offset = MemoryLayout<Owner>.offset(of: keyPath)
    super.init(in: owner)
  }

  override var isPresent: Bool { holds(value) }

  override var found: State? {
    let value = value
    return holds(value) ? value : nil
  }

  private var value: State? {
    // Read at its address, because a key path takes many times as long.
    guard let offset, !owner.isAway else { return owner.found.flatMap { $0[keyPath: keyPath] } }
    return unsafe (UnsafeRawPointer(owner.memory) + offset)
      .assumingMemoryBound(to: State?.self).pointee
  }

  override var changedState: State? { value }

  override var lastState: State? {
    let state = owner.current[keyPath: keyPath]
    return holds(state) ? state : nil
  }

  private func holds(_ state: State?) -> Bool {
    guard let state else { return false }
    return isSame?(state) ?? true
  }

  override var state: State {
    get { owner.projected[keyPath: keyPath]! }  // present, as the caller has checked
    _modify { yield &owner.projected[keyPath: keyPath]! }  // present, as the caller has checked
  }
}
