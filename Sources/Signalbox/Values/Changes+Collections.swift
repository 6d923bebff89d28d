/// The changes of the parts of lists, sets and dictionaries.
extension Changes {
  /// The number of members of a set up to which those with a NaN are paired.
  private static let mostWithNaN = 1_000

  mutating func compare(
    _ index: Int, _ old: any AnyList, _ new: any AnyList, _ within: inout Change.Within
  ) {
    let edits = ListEdits(from: old, to: new, equality)
    within.unchanged = edits.unchanged
    within.uncompared = edits.uncompared
    for (offset, edit) in edits.edits.enumerated() {
      guard all.count <= limits.lines else {
        within.more += edits.edits.count - offset
        return
      }
      switch edit {
      case .removed(let i):
        add(to: &within, of: index, .index(i), .removed(old.item(i)), old.item(i))
      case .inserted(let j):
        add(to: &within, of: index, .index(j), .inserted(new.item(j)), new.item(j))
      case .changed(let i, let j):
        add(
          to: &within, of: index, .index(j), old.item(i), new.item(j),
          edits.isGuess ? .guess : .verdict)
      case .moved(let i, let j, false):
        add(to: &within, of: index, .moved(i, j), .moved(new.item(j)), new.item(j))
      case .moved(let i, let j, true):
        add(to: &within, of: index, .moved(i, j), old.item(i), new.item(j))
      }
    }
  }

  mutating func compare(
    _ index: Int, _ old: any AnySet, _ new: any AnySet, _ within: inout Change.Within
  ) {
    let removed = old.missing(in: new)
    var inserted = new.missing(in: old)
    within.unchanged = new.size - inserted.count
    var offsets: [AnyHashable: Int] = [:]
    for (offset, member) in inserted.enumerated() {
      if let identity = Keys.identity(member) { offsets[identity] = offset }
    }
    var isPaired = Set<Int>()
    // Looking for a NaN reads each member by reflection.
    let mayPairNaN = max(removed.count, inserted.count) <= Self.mostWithNaN
    for member in removed {
      if let offset = Keys.identity(member).flatMap({ offsets[$0] }) {
        isPaired.insert(offset)
        add(to: &within, of: index, .none, member, inserted[offset])
      } else if mayPairNaN,
        let offset = equality.irreflexivePartner(of: member, in: inserted, but: isPaired)
      {
        // A set cannot find a NaN that it contains.
        isPaired.insert(offset)
        within.unchanged += 1
      } else {
        add(to: &within, of: index, .none, .removed(member), member)
      }
    }
    inserted = inserted.enumerated().filter { !isPaired.contains($0.offset) }.map(\.element)
    for member in inserted { add(to: &within, of: index, .none, .inserted(member), member) }
  }

  mutating func compare(
    _ index: Int, _ old: any AnyDictionary, _ new: any AnyDictionary, _ within: inout Change.Within
  ) {
    let differences = new.differences(from: old, equality)
    within.unchanged = differences.unchanged
    within.uncompared = differences.uncompared
    for (offset, key) in differences.keys.enumerated() {
      guard all.count <= limits.lines else {
        within.more += differences.keys.count - offset
        return
      }
      switch (old.value(for: key), new.value(for: key)) {
      case (let old?, let new?): add(to: &within, of: index, .entry(key), old, new)
      case (let old?, nil): add(to: &within, of: index, .entry(key), .removed(old), old)
      case (nil, let new?): add(to: &within, of: index, .entry(key), .inserted(new), new)
      case (nil, nil): break
      }
    }
  }
}
