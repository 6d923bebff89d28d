/// The values of a dictionary.
final class DictionaryCollection<Owner, ID: Hashable, State>:
  KeptCollection<Owner, ID, State, [ID: State]>
{
  private var values: [ID: State] { found ?? [:] }

  override var anyID: ID? { values.first?.key }

  override var count: Int { values.count }

  /// The order of a dictionary differs from run to run, so the ids are ordered by their texts.
  override func ids(_ report: (ID) -> Void) -> [ID] { sorted(Array(values.keys)) }

  override func ids(in range: Range<Int>) -> [ID] {
    let keys = Array(values.keys)
    return sorted(range.clamped(to: keys.indices).map { keys[$0] })
  }

  private func sorted(_ ids: [ID]) -> [ID] {
    if ids.count < 2 { return ids }
    return ids.map { (id: $0, text: "\($0)") }.sorted { $0.text < $1.text }.map { $0.id }
  }

  override func place(of id: ID, _ report: ((ID) -> Void)?) -> StatePlace<State>? {
    let place = ValuePlace(id, in: self)
    return place.isPresent ? place : nil
  }

  override func childPath(of id: ID) -> ChildPath { ChildPath(keyPath, .key { AnyHashable(id) }) }

  // MARK: - A change of the dictionary

  // A change in place, and a copy, leave most keys where they were. So keys and values are compared
  // as arrays.
  override func differences(
    _ places: [StatePlace<State>?], _ count: Int
  ) -> CollectionDifferences {
    let new = values
    var differences = CollectionDifferences()
    // The collection has made all places, and has no slots without one.
    func id(_ slot: Int) -> ID {
      unsafe unsafeDowncast(
        places[slot].unsafelyUnwrapped, to: ValuePlace<Owner, ID, State>.self
      ).id
    }
    guard let old = kept else {
      for slot in positions.slots {
        if new.index(forKey: id(slot)) == nil { differences.lost.append(slot) }
      }
      return differences
    }
    let keys = Array(new.keys)
    var region = ChangedRegion(Array(old.keys), keys)
    region.formUnion(ChangedRegion(Array(old.values), Array(new.values)))
    if new.count != old.count {
      differences.shifts.append((region.before.upperBound..<old.count, new.count - old.count))
    }
    differences.fresh = region.after
    var indices: [ID: Int]?
    for slot in positions.slots(in: region.before) {
      let (position, id) = (positions[slot], id(slot))
      if position >= 0, region.after.contains(position), keys[position] == id {
        differences.touched.append(slot)
      } else if new.index(forKey: id) == nil {
        differences.lost.append(slot)
      } else {
        if indices == nil {
          indices = Dictionary(zip(keys, keys.indices)) { first, _ in first }
        }
        differences.touched.append(slot)
        differences.moved.append((slot, indices?[id] ?? PositionTable.unknown))
      }
    }
    return differences
  }
}
