/// A property in which the states of children come and go.
@MainActor class ChildCollection<Owner, ID: Hashable, State> {
  let path: StatePath
  let keyPath: AnyKeyPath
  let owner: StateStorage<Owner>

  init(_ keyPath: PartialKeyPath<Owner>, _ path: StatePath, of owner: StateStorage<Owner>) {
    ChildPath.checkLeads(keyPath)
    self.keyPath = keyPath
    self.path = path
    self.owner = owner
  }

  /// The id of a state; `nil` if there is none.
  var anyID: ID? { nil }
  /// The ids of the states, in their order.
  ///
  /// - Parameter report: called with each id that is there more than once.
  func ids(_ report: (ID) -> Void) -> [ID] { [] }
  /// The way to the state with an id; `nil` if there is none.
  ///
  /// - Parameter report: called with the id if it is there more than once. Without it, the search ends
  ///   at the first state with the id.
  func place(of id: ID, _ report: ((ID) -> Void)? = nil) -> StatePlace<State>? { nil }
  /// Finds again the states that have moved.
  func find(_ places: [StatePlace<State>]) {}
  /// Where a child lives.
  func childPath(of id: ID) -> ChildPath { ChildPath(keyPath, .identity { AnyHashable(id) }) }
}

/// The value of an optional, whose id is always the same.
final class OptionalCollection<Owner, State>: ChildCollection<Owner, OnlyID, State> {
  private let optional: WritableKeyPath<Owner, State?>

  init(_ keyPath: WritableKeyPath<Owner, State?>, of owner: StateStorage<Owner>) {
    optional = keyPath
    super.init(keyPath, StatePath(keyPath), of: owner)
  }

  override var anyID: OnlyID? { ids { _ in }.first }

  override func ids(_ report: (OnlyID) -> Void) -> [OnlyID] {
    owner.isPresent && owner.projected[keyPath: optional] != nil ? [OnlyID()] : []
  }

  override func place(of id: OnlyID, _ report: ((OnlyID) -> Void)?) -> StatePlace<State>? {
    let place = OptionalPlace(optional, of: owner)
    return place.isPresent ? place : nil
  }

  override func childPath(of id: OnlyID) -> ChildPath { ChildPath(keyPath) }
}

/// The id of the value of an optional.
struct OnlyID: Hashable {}

/// The elements of an array.
final class ArrayCollection<Owner, State: Identifiable>: ChildCollection<Owner, State.ID, State> {
  private let array: WritableKeyPath<Owner, [State]>
  /// Where the elements were found last; `nil` if that was not computed since the last change.
  private var positions: [State.ID: Int]?
  /// The ids that were found more than once meanwhile.
  private var duplicates: Set<State.ID> = []
  /// How many elements were searched for since the last change.
  private var searches = 0

  init(_ keyPath: WritableKeyPath<Owner, [State]>, of owner: StateStorage<Owner>) {
    array = keyPath
    super.init(keyPath, StatePath(keyPath), of: owner)
  }

  private var elements: [State] {
    owner.isPresent ? owner.projected[keyPath: array] : []
  }

  override var anyID: State.ID? { elements.first?.id }

  override func ids(_ report: (State.ID) -> Void) -> [State.ID] {
    let elements = elements
    let positions = index(elements).positions
    var ids: [State.ID] = []
    for (index, element) in elements.enumerated() {
      let id = element.id
      if positions[id] == index { ids.append(id) } else { report(id) }
    }
    return ids
  }

  /// Finds out where the elements are, and which ids are there more than once.
  private func index(
    _ elements: [State]
  ) -> (positions: [State.ID: Int], duplicates: Set<State.ID>) {
    var positions: [State.ID: Int] = [:]
    var duplicates: Set<State.ID> = []
    positions.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      let id = element.id
      if positions[id] == nil { positions[id] = index } else { duplicates.insert(id) }
    }
    forgetIndex()
    (self.positions, self.duplicates) = (positions, duplicates)
    return (positions, duplicates)
  }

  /// Forgets where the elements were.
  ///
  /// The ids are released later, because they may be objects with a `deinit`.
  private func forgetIndex() {
    if let old = positions.take() { owner.discard(old) }
    if !duplicates.isEmpty { owner.discard(exchange(&duplicates, with: [])) }
    searches = 0
  }

  override func place(of id: State.ID, _ report: ((State.ID) -> Void)?) -> StatePlace<State>? {
    let elements = elements
    // Copies, because the hash of an id may run code that makes another index.
    let (known, repeated) = (positions, duplicates)
    let first: Int
    var isRepeated = true
    if let index = known?[id], elements.indices.contains(index), elements[index].id == id {
      (first, isRepeated) = (index, repeated.contains(id))
    } else if searches == 4 {
      // An index of all elements is worth its cost when many are asked for.
      let (positions, duplicates) = index(elements)
      guard let index = positions[id] else { return nil }
      (first, isRepeated) = (index, duplicates.contains(id))
    } else {
      guard let index = elements.firstIndex(where: { $0.id == id }) else { return nil }
      // An id that is missing does not count. It makes no child, and without live children nothing
      // tells that the index has become old.
      searches += 1
      first = index
    }
    // What the index has found may have changed since then in the same batch.
    if isRepeated, let report, elements[(first + 1)...].contains(where: { $0.id == id }) {
      report(id)
    }
    return ElementPlace(id, at: first, array, of: owner)
  }

  override func find(_ places: [StatePlace<State>]) {
    forgetIndex()
    let elements = elements
    var moved: [ElementPlace<Owner, State>] = []
    for case let place as ElementPlace<Owner, State> in places {
      place.isLost = false
      if !place.holds(place.index, in: elements) { moved.append(place) }
    }
    // A few are searched for, which costs less than an index of all.
    let positions = moved.count > 8 ? index(elements).positions : nil
    for place in moved {
      let found =
        positions.map { $0[place.id] } ?? elements.firstIndex(where: { $0.id == place.id })
      if let found { place.index = found } else { place.isLost = true }
    }
  }
}

/// The values of a dictionary.
final class DictionaryCollection<Owner, ID: Hashable, State>: ChildCollection<Owner, ID, State> {
  private let dictionary: WritableKeyPath<Owner, [ID: State]>

  init(_ keyPath: WritableKeyPath<Owner, [ID: State]>, of owner: StateStorage<Owner>) {
    dictionary = keyPath
    super.init(keyPath, StatePath(keyPath), of: owner)
  }

  override var anyID: ID? {
    owner.isPresent ? owner.projected[keyPath: dictionary].first?.key : nil
  }

  /// The order of a dictionary differs from run to run, so the ids are ordered by their texts.
  override func ids(_ report: (ID) -> Void) -> [ID] {
    guard owner.isPresent else { return [] }
    return owner.projected[keyPath: dictionary].keys.map { (id: $0, text: "\($0)") }
      .sorted { $0.text < $1.text }.map { $0.id }
  }

  override func place(of id: ID, _ report: ((ID) -> Void)?) -> StatePlace<State>? {
    let place = ValuePlace(id, dictionary, of: owner)
    return place.isPresent ? place : nil
  }

  override func childPath(of id: ID) -> ChildPath { ChildPath(keyPath, .key { AnyHashable(id) }) }
}
