/// The edits that turn one list into another.
package struct ListEdits {
  /// An edit of one element, given by its index in the old list, the new list or both.
  package enum Edit {
    case removed(Int)
    case inserted(Int)
    case changed(Int, Int)
    /// Its order among its neighbours has changed.
    case moved(Int, Int, isChanged: Bool)
  }

  /// The edits in the order of the new list.
  package private(set) var edits: [Edit] = []
  private(set) var unchanged = 0
  private(set) var uncompared = 0

  private let equality: DeepEquality
  private let byValue: ListMatcher

  package init(from old: any AnyList, to new: any AnyList, _ equality: DeepEquality) {
    self.equality = equality
    byValue = old.matcherByValue(with: new, equality)
    // The only elements are not compared here, so that lists of lists are not compared at each level.
    if old.length == 1, new.length == 1 {
      replace(old, new, at: 0)
      return
    }
    let cuts = equality.cuts
    let (head, tail) = equality.sparing { old.ends(with: new, equality) }
    unchanged = head + tail
    let was = head..<old.length - tail
    let now = head..<new.length - tail
    if was.count == 1, now.count == 1, equality.cuts == cuts {
      replace(old, new, at: head)
      return
    }
    let byIdentity = old.matcherByIdentity(with: new)
    let alignment = equality.sparing {
      Alignment(was, now, byIdentity ?? byValue, isMoving: true)
    }
    let isCut = byIdentity == nil && equality.cuts > cuts
    for step in alignment.steps { add(step, isByIdentity: byIdentity != nil, isCut: isCut) }
  }

  /// Adds the change of an element, or of two elements if they have different identities.
  private mutating func replace(_ old: any AnyList, _ new: any AnyList, at index: Int) {
    let was = ElementName.id(of: old.item(index))
    let now = ElementName.id(of: new.item(index))
    edits =
      was != nil && now != nil && was != now
      ? [.removed(index), .inserted(index)] : [.changed(index, index)]
  }

  private mutating func add(_ step: Alignment.Step, isByIdentity: Bool, isCut: Bool) {
    switch step {
    case .kept(let i, let j):
      if isByIdentity { compare(i, j) } else { unchanged += 1 }
    case .moved(let i, let j):
      if isByIdentity {
        compare(i, j, isMoved: true)
      } else {
        edits.append(.moved(i, j, isChanged: false))
      }
    case .gap(let removed, let inserted):
      if !isByIdentity, removed.count == inserted.count {
        for (i, j) in zip(removed, inserted) { compare(i, j) }
      } else if isCut {
        uncompared += max(removed.count, inserted.count)
      } else {
        edits += removed.map { .removed($0) }
        edits += inserted.map { .inserted($0) }
      }
    }
  }

  private mutating func compare(_ i: Int, _ j: Int, isMoved: Bool = false) {
    let cuts = equality.cuts
    let isSame = byValue.areSame(i, j)
    if equality.cuts > cuts {
      uncompared += 1
    } else if isMoved {
      edits.append(.moved(i, j, isChanged: !isSame))
    } else if isSame {
      unchanged += 1
    } else {
      edits.append(.changed(i, j))
    }
  }
}
