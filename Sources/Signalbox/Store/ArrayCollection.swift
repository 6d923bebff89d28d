import Foundation

/// The elements of an array.
final class ArrayCollection<Owner, State: Identifiable>:
  KeptCollection<Owner, State.ID, State, [State]>
{
  /// Where the elements are; `nil` if that was not computed since the last change.
  private var known: [State.ID: Int]?
  /// The ids that were found more than once meanwhile.
  private var duplicates: Set<State.ID> = []
  /// How many elements were searched for since the last change; an index of all pays after a few.
  private var searches = 0
  /// The positions of a few elements that are about to be asked for.
  private var likely = 0..<0

  private var elements: [State] { found ?? [] }

  override var anyID: State.ID? { elements.first?.id }

  override var count: Int { elements.count }

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

  override func ids(in range: Range<Int>) -> [State.ID] {
    let elements = elements
    if range.count <= 8 { likely = range }
    return range.clamped(to: elements.indices).map { elements[$0].id }
  }

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
    (known, self.duplicates) = (positions, duplicates)
    return (positions, duplicates)
  }

  /// Releases the ids later, because they may be objects with a `deinit`.
  private func forgetIndex() {
    if let old = known.take() { owner.discard(old) }
    if !duplicates.isEmpty { owner.discard(exchange(&duplicates, with: [])) }
    (searches, likely) = (0, 0..<0)
  }

  override func place(of id: State.ID, _ report: ((State.ID) -> Void)?) -> StatePlace<State>? {
    let elements = elements
    guard let first = search(id, in: elements) else { return nil }
    // What the index has found may have changed since then in the same batch.
    if let report, known == nil || duplicates.contains(id),
      elements[(first + 1)...].contains(where: { $0.id == id })
    {
      report(id)
    }
    return ElementPlace(id, at: first, in: self)
  }

  func search(_ id: State.ID, in elements: [State]) -> Int? {
    for index in likely.clamped(to: elements.indices) where elements[index].id == id {
      return index
    }
    // A copy, because the hash of an id may run code that makes another index.
    let known = known
    if let index = known?[id], elements.indices.contains(index), elements[index].id == id {
      return index
    }
    if searches == 4 { return index(elements).positions[id] }
    guard let index = elements.firstIndex(where: { $0.id == id }) else { return nil }
    // An id that is missing does not count. It makes no child, and without live children nothing
    // tells that the index has become old.
    searches += 1
    return index
  }

  // MARK: - A change of the array

  override func keep() {
    forgetIndex()
    super.keep()
  }

  override func list(_ place: StatePlace<State>) {
    positions.append(isKept ? PositionTable.unknown : element(place).index)
  }

  private func element(_ place: StatePlace<State>?) -> ElementPlace<Owner, State> {
    // The collection has made all places, and has no slots without one.
    unsafe unsafeDowncast(place.unsafelyUnwrapped, to: ElementPlace<Owner, State>.self)
  }

  override func differences(
    _ places: [StatePlace<State>?], _ count: Int
  ) -> CollectionDifferences {
    forgetIndex()
    let new = elements
    var differences = CollectionDifferences()
    var search = Search(of: new)
    guard let old = kept else {
      for slot in positions.slots { search.look(for: element(places[slot]), &differences) }
      return differences
    }
    var region = ChangedRegion(old, new)
    let isSame: (Range<Int>, Range<Int>) -> Bool = { ChangedRegion.areSame(old, $0, new, $1) }
    let end = region.before.upperBound
    if let move = region.takeMove(isSame) { differences.shifts.append(move) }
    if new.count != old.count {
      differences.shifts.append((end..<old.count, new.count - old.count))
    }
    differences.fresh = region.after
    // Without duplicates, an element that is not in the region is nowhere.
    let isUnique = old.count == count
    for slot in positions.slots(in: region.before) {
      let place = element(places[slot])
      let position = positions[slot]
      if position >= 0, region.after.contains(position) {
        if isSame(position..<position + 1, position..<position + 1) { continue }
        if new[position].id == place.id {
          differences.touched.append(slot)
          continue
        }
      }
      if region.after.count <= 8,
        let found = region.after.first(where: { new[$0].id == place.id })
      {
        differences.moved.append((slot, found))
        differences.touched.append(slot)
      } else if region.after.count > 8 || position < 0 || !isUnique {
        search.look(for: place, &differences)
      } else {
        differences.lost.append(slot)
      }
    }
    return differences
  }

  /// Searches a whole array for elements.
  @MainActor private struct Search {
    let elements: [State]
    var positions: [State.ID: Int]?
    var count = 0

    init(of elements: [State]) { self.elements = elements }

    mutating func look(
      for place: ElementPlace<Owner, State>, _ differences: inout CollectionDifferences
    ) {
      if let position = position(of: place) {
        differences.touched.append(place.slot)
        differences.moved.append((place.slot, position))
      } else {
        differences.lost.append(place.slot)
      }
    }

    private mutating func position(of place: ElementPlace<Owner, State>) -> Int? {
      if place.holds(place.index, in: elements) { return place.index }
      count += 1
      // A few are searched for, which costs less than an index of all.
      if count <= 8 { return elements.firstIndex { $0.id == place.id } }
      if positions == nil {
        positions = Dictionary(zip(elements.map { $0.id }, elements.indices)) { first, _ in first }
      }
      return positions?[place.id]
    }
  }

  override func apply(_ differences: CollectionDifferences, to places: [StatePlace<State>?]) {
    for (range, distance) in differences.shifts { positions.shift(range, by: distance) }
    for (slot, position) in differences.moved { element(places[slot]).moves(to: position) }
    for slot in differences.lost { element(places[slot]).goes() }
  }
}

extension ChangedRegion {
  init<Element>(_ old: [Element], _ new: [Element]) {
    self = unsafe old.withUnsafeBytes { old in
      unsafe new.withUnsafeBytes { new in
        unsafe ChangedRegion(old, new, stride: MemoryLayout<Element>.stride)
      }
    }
  }

  /// Whether elements of two arrays have the same bits.
  static func areSame<Element>(
    _ old: [Element], _ before: Range<Int>, _ new: [Element], _ after: Range<Int>
  ) -> Bool {
    let stride = MemoryLayout<Element>.stride
    return unsafe old.withUnsafeBytes { old in
      unsafe new.withUnsafeBytes { new in
        guard let old = old.baseAddress, let new = new.baseAddress else { return true }
        return unsafe memcmp(
          old + before.lowerBound * stride, new + after.lowerBound * stride, before.count * stride)
          == 0
      }
    }
  }
}
