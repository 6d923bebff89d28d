/// The edits that turn one list into another.
struct ListEdits {
  /// An edit of one element, given by its index in the old list, the new list or both.
  enum Edit {
    case removed(Int)
    case inserted(Int)
    case changed(Int, Int)
    /// Its order among its neighbours has changed.
    case moved(Int, Int, isChanged: Bool)
  }

  private(set) var edits: [Edit] = []
  private(set) var unchanged = 0
  /// The number of elements that were not compared, because that would have taken too long.
  private(set) var uncompared = 0
  /// Whether the only element was not compared, because it has no `==`.
  private(set) var isGuess = false

  private let old: any AnyList
  private let new: any AnyList
  private let equality: DeepEquality

  init(from old: any AnyList, to new: any AnyList, _ equality: DeepEquality) {
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
    } else if let keys = Keys(identityOf: old, was, new, now) {
      collect(Alignment(keys, isMoving: true), head, isByIdentity: true)
    } else if let keys = Keys(valuesOf: old, was, new, now, equality) {
      collect(Alignment(keys, isMoving: true), head, isByIdentity: false)
    } else {
      let areSame = old.comparison(with: new, offset: head, equality)
      let alignment = equality.sparing { Alignment(was.count, now.count, areSame: areSame) }
      collect(alignment, head, isByIdentity: false, isCut: equality.cuts > cuts)
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

  private mutating func compare(_ i: Int, _ j: Int, isMoved: Bool = false) {
    guard let isSame = equality.isSame(old.item(i), new.item(j)) else {
      uncompared += 1
      return
    }
    if isMoved {
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
    for step in alignment.steps {
      switch step {
      case .kept(let i, let j):
        if isByIdentity { compare(i + offset, j + offset) } else { unchanged += 1 }
      case .moved(let i, let j):
        if isByIdentity {
          compare(i + offset, j + offset, isMoved: true)
        } else {
          edits.append(.moved(i + offset, j + offset, isChanged: false))
        }
      case .gap(let removed, let inserted):
        if !isByIdentity, removed.count == inserted.count {
          for (i, j) in zip(removed, inserted) { compare(i + offset, j + offset) }
        } else if isCut {
          uncompared += max(removed.count, inserted.count)
        } else {
          edits += removed.map { .removed($0 + offset) }
          edits += inserted.map { .inserted($0 + offset) }
        }
      }
    }
  }
}
