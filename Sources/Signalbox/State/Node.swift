/// An observed part of the state: one key path, and who watches it.
@MainActor class Node<State>: Watchable {
  final let place: Place
  final unowned let model: Model<State>
  final var watchers = OrderedList<Watcher>()
  /// Whether it is the state as a whole, which a change of whatever part changes.
  final let isWhole: Bool
  /// The commit that this node was last found to be changed by.
  final var changedBy = 0
  private final var composites = 0

  init(_ place: Place, model: Model<State>) {
    self.place = place
    self.model = model
    isWhole = place.keyPath == \State.self
  }

  /// Whether someone will ask for other parts of the state beside this one.
  final var hasComposites: Bool { composites > 0 }

  final var commits: ObjectIdentifier { ObjectIdentifier(model) }
  final var isFinished: Bool { model.isClosed }

  final func add(_ watcher: Watcher) {
    if watchers.isEmpty { model.list(self) }
    watchers.append(watcher, order: watcher.order)
    if watcher.isComposite { composites += 1 }
  }

  final func remove(_ watcher: Watcher) {
    guard watchers.remove(order: watcher.order) != nil else { return }
    if watcher.isComposite { composites -= 1 }
    if watchers.isEmpty { model.unlist(self) }
  }

  /// Keeps the value of before a change, to compare with.
  func remember(_ state: State) {}

  /// Whether the value differs from the one kept, which is dropped.
  func differs(in state: State) -> Bool { false }

  /// Drops the value kept.
  func forget() {}

  /// Whether the value differs from the one kept, in place of which it is now kept.
  func advance(to state: State) -> Bool { false }

  /// Takes the value of a commit, to be told when it is delivered.
  func taking(_ state: State) -> @MainActor () -> Void { {} }

  /// Takes the value of the commit that is being delivered.
  func take(_ state: State) {}

  /// The commit has been delivered.
  func drop() {}
}

final class TypedNode<State, Value>: Node<State> {
  /// What the commit being delivered has made of the value, if it changed it.
  private(set) var told: Value?
  private let keyPath: KeyPath<State, Value>
  private let equality: Equality<Value>?
  private var isRemembering = false
  private var remembered: Value?

  init(
    _ keyPath: KeyPath<State, Value>, place: Place, equality: Equality<Value>?,
    model: Model<State>
  ) {
    self.keyPath = keyPath
    self.equality = equality
    super.init(place, model: model)
  }

  override func remember(_ state: State) {
    guard !isRemembering else { return }
    isRemembering = true
    if equality != nil { remembered = state[keyPath: keyPath] }
  }

  override func differs(in state: State) -> Bool {
    guard isRemembering else { return false }
    defer { forget() }
    guard let equality, let remembered else { return true }
    return !equality.areEqual(remembered, state[keyPath: keyPath])
  }

  override func forget() {
    isRemembering = false
    remembered = nil
  }

  override func advance(to state: State) -> Bool {
    guard let equality else { return true }
    let value = state[keyPath: keyPath]
    if let remembered, equality.areEqual(remembered, value) { return false }
    remembered = value
    return true
  }

  override func taking(_ state: State) -> @MainActor () -> Void {
    let value = state[keyPath: keyPath]
    return { self.told = value }
  }

  override func take(_ state: State) { told = state[keyPath: keyPath] }

  override func drop() { told = nil }
}
