/// The parts of two values that may differ.
extension Changes {
  /// The number of pairs of members up to which those with a NaN are paired.
  private static var mostPairs: Int { 10_000 }

  /// Counts the same parts in `within`; `nil` if the values have no parts to compare.
  func candidates(
    _ old: ValueParts, _ new: ValueParts, _ within: inout Change.Within
  ) -> [Candidate]? {
    switch (old.children, new.children) {
    case (.fields(let old), .fields(let new)):
      return old.isEmpty && new.isEmpty ? nil : candidates(old, new)
    case (.list(let old), .list(let new)): return candidates(old, new, &within)
    case (.members(let old), .members(let new)): return candidates(old, new, &within)
    case (.entries(let old), .entries(let new)): return candidates(old, new, &within)
    default: return nil
    }
  }

  /// Finds fields by name, because a custom mirror may show different fields for each value.
  private func candidates(_ old: [Field], _ new: [Field]) -> [Candidate] {
    func pair(_ old: Field, _ new: Field) -> Candidate {
      .pair(new.key, old.value, new.value, isMinor: new.isMinor)
    }
    if old.map(\.key.name) == new.map(\.key.name) { return zip(old, new).map(pair) }
    var left = old
    var candidates = new.map { field in
      guard let offset = left.firstIndex(where: { $0.key.name == field.key.name }) else {
        return Candidate.change(field.key, .inserted(field.value), field.value)
      }
      return pair(left.remove(at: offset), field)
    }
    candidates += left.map { .change($0.key, .removed($0.value), $0.value) }
    return candidates
  }

  private func candidates(
    _ old: any AnyList, _ new: any AnyList, _ within: inout Change.Within
  ) -> [Candidate] {
    let edits = ListEdits(from: old, to: new, equality)
    within.unchanged = edits.unchanged
    within.uncompared = edits.uncompared
    func pair(_ key: PartKey, _ old: Any, _ new: Any) -> Candidate {
      if let was = old as? KeyedValue, let now = new as? KeyedValue {
        return .pair(.entry(now.key), was.value, now.value, isMinor: false)
      }
      return .pair(key, old, new, isMinor: false)
    }
    return edits.edits.map { edit in
      switch edit {
      case .removed(let i): .change(.index(i), .removed(old.item(i)), old.item(i))
      case .inserted(let j): .change(.index(j), .inserted(new.item(j)), new.item(j))
      case .changed(let i, let j): pair(.index(j), old.item(i), new.item(j))
      case .moved(let i, let j, false): .change(.moved(i, j), .moved(new.item(j)), new.item(j))
      case .moved(let i, let j, true): pair(.moved(i, j), old.item(i), new.item(j))
      }
    }
  }

  private func candidates(
    _ old: any AnySet, _ new: any AnySet, _ within: inout Change.Within
  ) -> [Candidate] {
    let removed = old.missing(in: new)
    let inserted = new.missing(in: old)
    within.unchanged = new.size - inserted.count
    var offsets: [AnyHashable: Int] = [:]
    for (offset, member) in inserted.enumerated() {
      if let identity = ElementName.id(of: member) { offsets[identity] = offset }
    }
    var candidates: [Candidate] = []
    var isPaired = Set<Int>()
    let mayPairNaN = removed.count * inserted.count <= Self.mostPairs
    for member in removed {
      var partner = ElementName.id(of: member).flatMap { offsets[$0] }
      if partner == nil, mayPairNaN {
        // A set cannot find a NaN that it contains.
        partner = inserted.indices.first {
          !isPaired.contains($0) && equality.areSame(member, inserted[$0])
        }
      }
      if let partner {
        isPaired.insert(partner)
        candidates.append(.pair(.none, member, inserted[partner], isMinor: false))
      } else {
        candidates.append(.change(.none, .removed(member), member))
      }
    }
    for (offset, member) in inserted.enumerated() where !isPaired.contains(offset) {
      candidates.append(.change(.none, .inserted(member), member))
    }
    return candidates
  }

  private func candidates(
    _ old: any AnyDictionary, _ new: any AnyDictionary, _ within: inout Change.Within
  ) -> [Candidate] {
    within.unchanged = new.size
    return new.differences(from: old, equality).map { key in
      let (was, now) = (old.value(for: key), new.value(for: key))
      if now != nil { within.unchanged -= 1 }
      if let was, let now { return .pair(.entry(key), was, now, isMinor: false) }
      let value = was ?? now ?? ()
      return .change(.entry(key), was == nil ? .inserted(value) : .removed(value), value)
    }
  }
}
