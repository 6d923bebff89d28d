/// An element of an array, which is found by its identity.
final class ElementPlace<Owner, State: Identifiable>: StatePlace<State> {
  let id: State.ID
  private let collection: ArrayCollection<Owner, State>
  private let owner: StateStorage<Owner>
  private let keyPath: WritableKeyPath<Owner, [State]>
  private let offset: Int?
  private let positions: PositionTable
  /// Where the element was found last, unless the table has been changed since then.
  @safe @exclusivity(unchecked) private var lastIndex: Int
  @safe @exclusivity(unchecked) private var version: Int
  /// Whether the element was missing after the last change, so that it need not be searched for.
  @safe @exclusivity(unchecked) private(set) var isLost = false

  init(_ id: State.ID, at index: Int, in collection: ArrayCollection<Owner, State>) {
    self.id = id
    self.collection = collection
    (owner, keyPath) = (collection.owner, collection.whole)
    positions = collection.positions
    (lastIndex, version) = (index, positions.version)
    offset = MemoryLayout<Owner>.offset(of: keyPath)
    super.init(in: owner)
  }

  private(set) var index: Int {
    get { version == positions.version || slot < 0 ? lastIndex : positions[slot] }
    set { (lastIndex, version) = (newValue, positions.version) }
  }

  override var isPresent: Bool {
    if isLost { return false }
    // Read at its address, because a key path takes many times as long.
    if let offset, !owner.isAway, !collection.isRewound {
      return isFound(
        in: unsafe (UnsafeRawPointer(owner.memory) + offset)
          .assumingMemoryBound(to: [State].self).pointee)
    }
    return elements.map(isFound) ?? false
  }

  override var found: State? {
    guard !isLost, let elements, isFound(in: elements) else { return nil }
    return elements[index]
  }

  override func state(or other: () -> State) -> State {
    if isLost { return other() }
    guard let offset, !owner.isAway, !collection.isRewound else { return found ?? other() }
    let elements = unsafe (UnsafeRawPointer(owner.memory) + offset)
      .assumingMemoryBound(to: [State].self).pointee
    return isFound(in: elements) ? elements[index] : other()
  }

  private var elements: [State]? {
    collection.isRewound ? collection.kept : owner.found?[keyPath: keyPath]
  }

  override var lastState: State? {
    element(in: owner.current[keyPath: keyPath]) ?? collection.kept.flatMap(element)
  }

  override var changedState: State? {
    let index = index
    guard let elements = owner.found?[keyPath: keyPath], elements.indices.contains(index) else {
      return nil
    }
    return elements[index]
  }

  private func element(in elements: [State]) -> State? {
    let index = index
    return holds(index, in: elements) ? elements[index] : elements.first { $0.id == id }
  }

  /// Whether the element is in an array, in which `index` then leads to it.
  private func isFound(in elements: [State]) -> Bool {
    if holds(index, in: elements) { return true }
    guard let found = collection.search(id, in: elements) else { return false }
    index = found
    return true
  }

  func holds(_ index: Int, in elements: [State]) -> Bool {
    // Not `indices`, because generic code looks up its metadata each time.
    index >= 0 && index < elements.count && elements[index].id == id
  }

  func moves(to index: Int) {
    isLost = false
    self.index = index
    positions[slot] = index
  }

  func goes() {
    isLost = true
    positions[slot] = PositionTable.unknown
  }

  override var state: State {
    get { owner.projected[keyPath: keyPath][index] }
    _modify { yield &owner.projected[keyPath: keyPath][index] }
  }
}
