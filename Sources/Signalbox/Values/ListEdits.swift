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
  /// Whether the only element was not compared, because it has no `==`.
  private(set) var isGuess = false

  init(from old: any AnyList, to new: any AnyList, _ equality: DeepEquality) {
    if old.length == 1, new.length == 1 {
      let isSame = equality.isSameAtOnce(old.item(0), new.item(0))
      isGuess = isSame == nil
      if isSame == true { unchanged = 1 } else { edits = [.changed(0, 0)] }
      return
    }
    let (head, tail) = old.ends(with: new, equality) ?? (0, 0)
    unchanged = head + tail
    let middle = Middle(
      old: (head..<old.length - tail).map { old.item($0) },
      new: (head..<new.length - tail).map { new.item($0) })
    if middle.old.count == 1, middle.new.count == 1 {
      // These two elements differ, because they ended the common start.
      edits = [.changed(head, head)]
    } else if let keys = Keys(identityOf: middle) {
      let alignment = Alignment(keys, isMoving: true, isExact: false)
      collect(alignment, middle, offset: head, isByIdentity: true, equality)
    } else if let keys = Keys(valuesOf: middle) ?? Keys(comparing: middle, equality) {
      let alignment = Alignment(keys, isMoving: true, isExact: true)
      collect(alignment, middle, offset: head, isByIdentity: false, equality)
    } else {
      collectByPlace(middle, offset: head, equality)
    }
  }

  /// The elements between the common start and the common end of two lists.
  struct Middle {
    let old: [Any]
    let new: [Any]
  }

  private mutating func compare(
    _ i: Int, _ j: Int, _ middle: Middle, offset: Int, isMoved: Bool = false,
    _ equality: DeepEquality
  ) {
    let isChanged = !equality.areSame(middle.old[i - offset], middle.new[j - offset])
    if isMoved {
      edits.append(.moved(i, j, isChanged: isChanged))
    } else if isChanged {
      edits.append(.changed(i, j))
    } else {
      unchanged += 1
    }
  }

  /// Collects the edits in the order of the new list.
  ///
  /// Removals come before the insertions there.
  private mutating func collect(
    _ alignment: Alignment, _ middle: Middle, offset: Int, isByIdentity: Bool,
    _ equality: DeepEquality
  ) {
    for step in alignment.steps {
      switch step {
      case .kept(let i, let j):
        if isByIdentity {
          compare(i + offset, j + offset, middle, offset: offset, equality)
        } else {
          unchanged += 1
        }
      case .moved(let i, let j):
        if isByIdentity {
          compare(i + offset, j + offset, middle, offset: offset, isMoved: true, equality)
        } else {
          edits.append(.moved(i + offset, j + offset, isChanged: false))
        }
      case .gap(let removed, let inserted):
        if !isByIdentity, removed.count == inserted.count {
          for (i, j) in zip(removed, inserted) {
            compare(i + offset, j + offset, middle, offset: offset, equality)
          }
        } else {
          edits += removed.map { .removed($0 + offset) }
          edits += inserted.map { .inserted($0 + offset) }
        }
      }
    }
  }

  private mutating func collectByPlace(_ middle: Middle, offset: Int, _ equality: DeepEquality) {
    let common = min(middle.old.count, middle.new.count)
    for i in 0..<common { compare(i + offset, i + offset, middle, offset: offset, equality) }
    edits += (common..<middle.old.count).map { .removed($0 + offset) }
    edits += (common..<middle.new.count).map { .inserted($0 + offset) }
  }
}

/// The elements of two lists as numbers.
///
/// Elements that match have the same number.
struct Keys {
  let old: [Int]
  let new: [Int]

  /// Numbers elements by `id`, if all of them have one.
  init?(identityOf middle: ListEdits.Middle) { self.init(middle, Self.identity) }

  /// Numbers elements by `==` and hash value, if all of them are `Hashable`.
  init?(valuesOf middle: ListEdits.Middle) {
    self.init(middle) {
      let key = ($0 as? any Hashable).map { AnyHashable($0) }
      // A NaN cannot be found again, because it is not equal to itself.
      return key == key ? key : nil
    }
  }

  /// Numbers elements by comparing each with each, if there are few.
  init?(comparing middle: ListEdits.Middle, _ equality: DeepEquality) {
    guard middle.old.count + middle.new.count <= 64 else { return nil }
    var kinds: [Any] = []
    func number(_ element: Any) -> Int {
      if let known = kinds.firstIndex(where: { equality.areSame($0, element) }) { return known }
      kinds.append(element)
      return kinds.count - 1
    }
    old = middle.old.map(number)
    new = middle.new.map(number)
  }

  init(lines old: [Substring], _ new: [Substring]) {
    var numbers: [Substring: Int] = [:]
    func number(_ line: Substring) -> Int {
      let next = numbers.count
      return numbers[line, default: next]
    }
    self.old = old.map {
      let n = number($0)
      numbers[$0] = n
      return n
    }
    self.new = new.map {
      let n = number($0)
      numbers[$0] = n
      return n
    }
  }

  private init?(_ middle: ListEdits.Middle, _ key: (Any) -> AnyHashable?) {
    var numbers: [AnyHashable: Int] = [:]
    func number(_ elements: [Any]) -> [Int]? {
      var result: [Int] = []
      result.reserveCapacity(elements.count)
      for element in elements {
        guard let key = key(element) else { return nil }
        let next = numbers.count
        if let known = numbers[key] {
          result.append(known)
        } else {
          numbers[key] = next
          result.append(next)
        }
      }
      return result
    }
    guard let old = number(middle.old), let new = number(middle.new) else { return nil }
    self.old = old
    self.new = new
  }

  static func identity(_ element: Any) -> AnyHashable? {
    func open<I: Identifiable>(_ element: I) -> AnyHashable? {
      // The identity of an object is no identity of the thing that it represents.
      I.ID.self == ObjectIdentifier.self ? nil : AnyHashable(element.id)
    }
    if let entry = element as? KeyedValue {
      return (entry.key as? any Hashable).map { AnyHashable($0) }
    }
    return (element as? any Identifiable).flatMap { open($0) }
  }
}
