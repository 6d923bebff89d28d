/// A collection that is kept as a whole during a change, and compared with what it was before.
class KeptCollection<Owner, ID: Hashable, State, Whole>: ChildCollection<Owner, ID, State> {
  final let whole: WritableKeyPath<Owner, Whole>
  /// The collection from before a change that is not concluded.
  private(set) final var kept: Whole?
  final let positions = PositionTable()

  init(_ keyPath: WritableKeyPath<Owner, Whole>, of owner: StateStorage<Owner>) {
    whole = keyPath
    super.init(keyPath, StatePath(keyPath), of: owner)
  }

  final var found: Whole? { owner.found?[keyPath: whole] }

  override final var keepsAll: Bool { true }

  override final var isKept: Bool { kept != nil }

  override func keep() {
    let old = exchange(&kept, with: owner.current[keyPath: whole])
    if let old { owner.discard(old) }
  }

  override final func forget() {
    if let old = kept.take() { owner.discard(old) }
  }

  override func list(_ place: StatePlace<State>) { positions.append(PositionTable.unknown) }

  override final func noteMissing(_ slot: Int) { positions[slot] = PositionTable.unknown }

  override final func end(_ slot: Int) { positions.end(slot) }

  override final func compact() { positions.compact() }

  override func apply(_ differences: CollectionDifferences, to places: [StatePlace<State>?]) {
    for (range, distance) in differences.shifts { positions.shift(range, by: distance) }
    for (slot, position) in differences.moved { positions[slot] = position }
    for slot in differences.lost { positions[slot] = PositionTable.unknown }
  }
}
