/// A property in which the states of children come and go.
@MainActor class ChildCollection<Owner, ID: Hashable, State> {
  let path: StatePath
  let keyPath: AnyKeyPath
  let owner: StateStorage<Owner>

  init(_ keyPath: AnyKeyPath, _ path: StatePath, of owner: StateStorage<Owner>) {
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
  /// The ids that were found more than once meanwhile, until they are reported.
  private var duplicates: [State.ID] = []
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
    let positions = index(elements)
    reportDuplicates(report)
    return elements.enumerated().compactMap { positions[$1.id] == $0 ? $1.id : nil }
  }

  /// Computes where the elements are.
  private func index(_ elements: [State]) -> [State.ID: Int] {
    var positions: [State.ID: Int] = [:]
    var duplicates: [State.ID] = []
    positions.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      let id = element.id
      if positions[id] == nil { positions[id] = index } else { duplicates.append(id) }
    }
    self.positions = positions
    self.duplicates = duplicates
    return positions
  }

  private func reportDuplicates(_ report: (State.ID) -> Void) {
    let found = duplicates
    duplicates = []
    for id in found { report(id) }
  }

  override func place(of id: State.ID, _ report: ((State.ID) -> Void)?) -> StatePlace<State>? {
    let elements = elements
    func place(_ index: Int) -> StatePlace<State> { ElementPlace(id, at: index, array, of: owner) }
    // A copy, because the hash of an id may run code that makes another index.
    let known = positions
    if let index = known?[id], elements.indices.contains(index), elements[index].id == id {
      if let report { reportDuplicates(report) }
      return place(index)
    }
    searches += 1
    // An index of all elements is worth its cost when many are asked for.
    if searches > 4 {
      let positions = index(elements)
      searches = 0
      if let report { reportDuplicates(report) }
      return positions[id].map(place)
    }
    guard let first = elements.firstIndex(where: { $0.id == id }) else { return nil }
    if let report, elements[(first + 1)...].contains(where: { $0.id == id }) { report(id) }
    return place(first)
  }

  override func find(_ places: [StatePlace<State>]) {
    var positions: [State.ID: Int]?
    self.positions = nil
    duplicates = []
    searches = 0
    let elements = elements
    var moved: [ElementPlace<Owner, State>] = []
    for case let place as ElementPlace<Owner, State> in places {
      place.isLost = false
      if !place.holds(place.index, in: elements) { moved.append(place) }
    }
    // A few are searched for, which costs less than an index of all.
    if moved.count > 8 { positions = index(elements) }
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
