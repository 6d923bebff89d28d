/// The way to a state that lies within another one and has no fixed address.
///
///     \.editor            the value of an optional
///     \.rows, id 3        an element of an array, whose index is checked before it is trusted
///     \.sensors["roof"]   a value of a dictionary
///     \.note.title        a property of a state that has no fixed address itself
///
/// The state is read and changed in place through the state around it, so no address outlives an
/// access, and nothing is copied.
@MainActor class StatePlace<State> {
  /// Whether the state is there; may run `==` and `hash(into:)` of an identity.
  var isPresent: Bool { true }

  /// Whether a change reaches the memory of the state directly, and not through a setter.
  final let isInPlace: Bool
  /// Whether a change of the state may have the effect that it is not present any more.
  final let mayBeLost: Bool

  /// - Parameter hasIdentity: whether the state says itself which one it is.
  init<Owner>(
    in owner: StateStorage<Owner>, at keyPath: PartialKeyPath<Owner>, hasIdentity: Bool = false
  ) {
    isInPlace = owner.isInPlace(keyPath)
    // A setter may change anything, and so may a change of the state around it.
    mayBeLost = hasIdentity || !isInPlace || owner.place?.mayBeLost ?? false
  }

  /// The value of the state while it is not present, if the state around it has it.
  var lastState: State? { nil }

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
    super.init(in: owner, at: keyPath)
  }

  override var isPresent: Bool { owner.isPresent }

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

  init(_ keyPath: WritableKeyPath<Owner, State?>, of owner: StateStorage<Owner>) {
    self.owner = owner
    self.keyPath = keyPath
    super.init(in: owner, at: keyPath)
  }

  override var isPresent: Bool { owner.isPresent && owner.projected[keyPath: keyPath] != nil }

  override var lastState: State? { owner.current[keyPath: keyPath] }

  override var state: State {
    get { owner.projected[keyPath: keyPath]! }  // present, as the caller has checked
    _modify { yield &owner.projected[keyPath: keyPath]! }  // present, as the caller has checked
  }
}

/// An element of an array, which is found by its identity.
final class ElementPlace<Owner, State: Identifiable>: StatePlace<State> {
  let id: State.ID
  private let owner: StateStorage<Owner>
  private let keyPath: WritableKeyPath<Owner, [State]>
  private let offset: Int?
  /// Where the element was found last.
  @safe @exclusivity(unchecked) var index: Int
  /// Whether the element was missing after the last change, so that it need not be searched for.
  @safe @exclusivity(unchecked) var isLost = false

  init(
    _ id: State.ID, at index: Int, _ keyPath: WritableKeyPath<Owner, [State]>,
    of owner: StateStorage<Owner>
  ) {
    self.id = id
    self.index = index
    self.owner = owner
    self.keyPath = keyPath
    offset = MemoryLayout<Owner>.offset(of: keyPath)
    super.init(in: owner, at: keyPath, hasIdentity: true)
  }

  override var isPresent: Bool {
    guard !isLost, owner.isPresent else { return false }
    let elements = elements
    if holds(index, in: elements) { return true }
    guard let found = elements.firstIndex(where: { $0.id == id }) else { return false }
    index = found
    return true
  }

  override var lastState: State? {
    let elements = owner.current[keyPath: keyPath]
    return holds(index, in: elements) ? elements[index] : elements.first { $0.id == id }
  }

  private var elements: [State] {
    // Read at its address, because a key path takes many times as long.
    guard let offset, !owner.isAway else { return owner.projected[keyPath: keyPath] }
    return unsafe (UnsafeRawPointer(owner.memory) + offset)
      .assumingMemoryBound(to: [State].self).pointee
  }

  /// Whether an index leads to the element.
  func holds(_ index: Int, in elements: [State]) -> Bool {
    index < elements.count && elements[index].id == id
  }

  override var state: State {
    get { elements[index] }
    _modify { yield &owner.projected[keyPath: keyPath][index] }
  }
}

/// A value of a dictionary.
final class ValuePlace<Owner, ID: Hashable, State>: StatePlace<State> {
  private let id: ID
  private let owner: StateStorage<Owner>
  private let keyPath: WritableKeyPath<Owner, [ID: State]>
  private let offset: Int?

  init(_ id: ID, _ keyPath: WritableKeyPath<Owner, [ID: State]>, of owner: StateStorage<Owner>) {
    self.id = id
    self.owner = owner
    self.keyPath = keyPath
    offset = MemoryLayout<Owner>.offset(of: keyPath)
    super.init(in: owner, at: keyPath)
  }

  override var isPresent: Bool {
    owner.isPresent && values.index(forKey: id) != nil
  }

  override var lastState: State? { owner.current[keyPath: keyPath][id] }

  private var values: [ID: State] {
    // Read at its address, because a key path takes many times as long.
    guard let offset, !owner.isAway else { return owner.projected[keyPath: keyPath] }
    return unsafe (UnsafeRawPointer(owner.memory) + offset)
      .assumingMemoryBound(to: [ID: State].self).pointee
  }

  override var state: State {
    get { values[id]! }  // present, as the caller has checked
    _modify {
      guard isInPlace else {
        // Each read of a computed property may make another dictionary, with other indices.
        yield &owner.projected[keyPath: keyPath][id]!  // present, as above
        return
      }
      // Changed through an index, which keeps the value where it is.
      let index = owner.projected[keyPath: keyPath].index(forKey: id)!  // present, as above
      yield &owner.projected[keyPath: keyPath].values[index]
    }
  }
}

extension StateStorage {
  /// Whether a property lies in the memory of its state.
  fileprivate func isInPlace(_ keyPath: PartialKeyPath<State>) -> Bool {
    MemoryLayout<State>.offset(of: keyPath) != nil && place?.isInPlace ?? true
  }
}
