/// The live children of a collection, in the order in which they were begun.
///
///     slots    [ child 7 ][    ][ child 3 ][ child 9 ]     an ended child leaves a slot empty
///     places   [ place   ][    ][ place   ][ place   ]
///     index    3 ──▶ child, 7 ──▶ child, 9 ──▶ child
///
/// A change goes through the slots, because a look-up in the index runs the user's `==`.
@MainActor final class LiveList<ID: Hashable, State, Action> {
  final class Child {
    let id: ID
    let record: ChildRecord<State, Action>
    let place: StatePlace<State>
    var isOver = false

    init(_ id: ID, _ record: ChildRecord<State, Action>, _ place: StatePlace<State>) {
      (self.id, self.record, self.place) = (id, record, place)
    }

    var storage: StateStorage<State> { record.engine.storage }

    /// Whether its state is there: in the truth, or at least shown if it has not begun.
    @MainActor var isThere: Bool { storage.isPresent || isShownOnly }

    /// Whether it has not begun, and a pending change shows its state.
    @MainActor var isShownOnly: Bool { record.engine.isWithheld && storage.found != nil }
  }

  private var index: [ID: Child] = [:]
  private(set) var slots: [Child?] = []
  private(set) var places: [StatePlace<State>?] = []
  private(set) var count = 0

  // Not `compactMap(\.self)`, because generic code builds a key path anew each time.
  var all: [Child] { slots.compactMap { $0 } }

  /// The child with an id; the user's `==` may only read `state`, which is around the children.
  func child(_ id: ID, in state: StateNode) -> Child? {
    let index = index
    return state.reading { index[id] }
  }

  func add(_ child: Child, in state: StateNode) {
    child.place.slot = slots.count
    slots.append(child)
    places.append(child.place)
    count += 1
    changeIndex(in: state) { $0[child.id] = child }
  }

  func remove(_ child: Child, in state: StateNode) {
    (slots[child.place.slot], places[child.place.slot]) = (nil, nil)
    count -= 1
    changeIndex(in: state) { $0[child.id] = nil }
  }

  /// Changes the index while it is elsewhere, because user code hashes and compares the ids.
  private func changeIndex(in state: StateNode, _ body: (inout [ID: Child]) -> Void) {
    var changed = exchange(&index, with: [:])
    state.reading { body(&changed) }
    index = changed
  }

  /// Removes empty slots if at least half of the slots are empty; returns whether it has.
  func compactIfWorthwhile() -> Bool {
    guard count * 2 <= slots.count else { return false }
    slots.removeAll { $0 == nil }
    places.removeAll { $0 == nil }
    for (slot, place) in places.enumerated() { place?.slot = slot }
    return true
  }

  func removeAll() -> [Child] {
    let all = all
    for child in all { child.isOver = true }
    (index, slots, places, count) = ([:], [], [], 0)
    return all
  }
}
