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

  package private(set) var edits: [Edit] = []
  private(set) var unchanged = 0
  /// The number of elements that were not compared, because that would have taken too long.
  private(set) var uncompared = 0
  /// Whether the only element was not compared, because it has no `==`.
  private(set) var isGuess = false

  /// The number of elements from which on comparing identities is tried before hashing them.
  private static let few = 1_000
  /// The number of elements up to which they are hashed to find those that have moved.
  private static let many = 20_000

  private let old: any AnyList
  private let new: any AnyList
  private let equality: DeepEquality

  package init(from old: any AnyList, to new: any AnyList, _ equality: DeepEquality) {
    self.old = old
    self.new = new
    self.equality = equality
    if old.length == 1, new.length == 1 {
      let isSame = equality.isSameAtOnce(old.item(0), new.item(0))
      if isSame == true { unchanged = 1 } else { replace(0, 0, isGuess: isSame == nil) }
      return
    }
    let cuts = equality.cuts
    let (head, tail) = equality.sparing { old.ends(with: new, equality) } ?? (0, 0)
    unchanged = head + tail
    let was = head..<old.length - tail
    let now = head..<new.length - tail
    if was.count == 1, now.count == 1, equality.cuts == cuts {
      // These two elements differ, because they ended the common start.
      replace(head, head)
    } else if max(was.count, now.count) > Self.few,
      let byIdentity = old.identityScript(was, in: new, now)
    {
      collect(byIdentity, head, isByIdentity: true)
    } else if let keys = old.identities(was, in: new, now) {
      collect(Alignment(keys, isMoving: true), head, isByIdentity: true)
    } else {
      let byValue = equality.sparing { alignment(was, now) }
      collect(byValue, head, isByIdentity: false, isCut: equality.cuts > cuts)
    }
  }

  /// Matches elements by value.
  private func alignment(_ was: Range<Int>, _ now: Range<Int>) -> Alignment {
    old.comparing(with: new, equality) { areSame -> Alignment in
      func isMatch(_ i: Int, _ j: Int) -> Bool { areSame(i + was.lowerBound, j + now.lowerBound) }
      // A few edits are found faster by comparing the elements than by hashing all of them.
      let script = EditScript(was.count, now.count, patience: 1 << 19, areSame: isMatch)
      if !script.isShortest, was.count + now.count <= Self.many,
        let keys = old.values(was, in: new, now, equality)
      {
        return Alignment(keys, isMoving: true)
      }
      return Alignment(script, oldCount: was.count, areSame: isMatch)
    }
  }

  /// Adds the change of an element, or of two elements if they have different identities.
  private mutating func replace(_ i: Int, _ j: Int, isGuess: Bool = false) {
    if let was = Keys.identity(old.item(i)), let now = Keys.identity(new.item(j)), was != now {
      edits = [.removed(i), .inserted(j)]
    } else {
      edits = [.changed(i, j)]
      self.isGuess = isGuess
    }
  }

  private mutating func compare(
    _ i: Int, _ j: Int, isMoved: Bool = false, _ areSame: (Int, Int) -> Bool
  ) {
    let cuts = equality.cuts
    let isSame = areSame(i, j)
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

  /// Collects the edits in the order of the new list.
  ///
  /// Removals come before the insertions there.
  private mutating func collect(
    _ alignment: Alignment, _ offset: Int, isByIdentity: Bool, isCut: Bool = false
  ) {
    // Local copies, because the closure mutates `self`.
    let (old, new, equality) = (old, new, equality)
    old.comparing(with: new, equality) { areSame in
      for step in alignment.steps {
        collect(step, offset, isByIdentity: isByIdentity, isCut: isCut, areSame)
      }
    }
  }

  private mutating func collect(
    _ step: Alignment.Step, _ offset: Int, isByIdentity: Bool, isCut: Bool,
    _ areSame: (Int, Int) -> Bool
  ) {
    switch step {
    case .kept(let i, let j):
      if isByIdentity { compare(i + offset, j + offset, areSame) } else { unchanged += 1 }
    case .moved(let i, let j):
      if isByIdentity {
        compare(i + offset, j + offset, isMoved: true, areSame)
      } else {
        edits.append(.moved(i + offset, j + offset, isChanged: false))
      }
    case .gap(let removed, let inserted):
      if !isByIdentity, removed.count == inserted.count {
        for (i, j) in zip(removed, inserted) { compare(i + offset, j + offset, areSame) }
      } else if isCut {
        uncompared += max(removed.count, inserted.count)
      } else {
        edits += removed.map { .removed($0 + offset) }
        edits += inserted.map { .inserted($0 + offset) }
      }
    }
  }
}
