/// The tree of what changed between two values.
///
///     State(messages: [a, b, c], count: 1)          0 within State
///     State(messages: [a, x, c], count: 2)          ├─ 1 messages: within […], 2 unchanged
///                                                   │  └─ 3 [1]: replaced(b, x)
///                                                   └─ 2 count: replaced(1, 2)
///
/// The nodes lie in an array and refer to one another by index, and a work list replaces recursion.
/// So neither building nor releasing the tree can overflow the stack, however deep the values are.
package struct Changes {
  package private(set) var all: [Change] = []
  let equality: DeepEquality
  let limits: Limits
  private var work: [Int] = []
  private var shown: Set<ObjectPair> = []

  /// Compares two values, or the same part of two values.
  ///
  /// Returns `nil` if there is no difference.
  ///
  /// - Parameter effort: the number of values that may be read by reflection. The parts that
  ///   would take more are not compared.
  package init?(
    from old: Any, to new: Any, _ limits: Limits,
    _ cursors: (old: RedactionCursor, new: RedactionCursor), effort: Int = .max
  ) {
    self.limits = limits
    var equality = DeepEquality(effort: effort)
    let isCollection = old is any AnyList || old is any AnyDictionary || old is any AnySet
    // Collections are not compared first, because finding their changes compares them anyway.
    let isGuess = isCollection && type(of: old) == type(of: new)
    let isSame = isGuess ? nil : equality.isSame(old, new)
    if isSame == true { return nil }
    // The parts get the same effort again.
    if isSame == nil { equality = DeepEquality(effort: effort) }
    self.equality = equality
    let root = Change(
      key: .none, parent: -1, depth: 0, cursors: cursors,
      basis: isSame == nil ? .guess : .verdict, kind: .pending, values: (old, new))
    all.append(root)
    work.append(0)
    while let next = work.popLast() {
      guard let (old, new) = all[next].values else { continue }
      expand(next, old, new)
    }
    prune()
    if case .same = all[0].kind { return nil }
  }

  // MARK: - One node

  private mutating func expand(_ index: Int, _ old: Any, _ new: Any) {
    let cursors = all[index].cursors
    guard !cursors.old.isHidden, !cursors.new.isHidden, type(of: old) == type(of: new),
      let oldCore = OptionalUnwrapping.core(of: old),
      let newCore = OptionalUnwrapping.core(of: new),
      type(of: oldCore) == type(of: newCore)
    else { return settle(index, old, new) }
    expand(index, oldCore, newCore, bare: false)
  }

  private mutating func expand(_ index: Int, _ old: Any, _ new: Any, bare: Bool) {
    let cursors = all[index].cursors
    switch (
      ValueShape.at(old, cursors.old, bare: bare), ValueShape.at(new, cursors.new, bare: bare)
    ) {
    case (.text(let old), .text(let new)) where old != new:
      all[index].kind = TextEdits.kind(from: old, to: new, limits)
    case (.data(let old), .data(let new)) where old != new:
      let (old, new) = TextEdits.windows(from: old, to: new)
      all[index].kind = .retold(old, new)
    case (.leaf(let was), .leaf(let now)) where was == now && !bare:
      expand(index, old, new, bare: true)
    case (.leaf(let was), .leaf(let now)) where was != now && TextEdits.areLong(was, now):
      settle(index, old, new, as: TextEdits.kind(from: was, to: now, limits))
    case (.parts(let oldParts), .parts(let newParts)) where oldParts.name == newParts.name:
      if let pair = ObjectPair(old, new), !shown.insert(pair).inserted {
        all[index].kind = .shown(newParts)
      } else if all[index].basis == .guess, equality.isExhausted {
        all[index].kind = .uncompared(newParts)
      } else if all[index].depth >= limits.depth || all.count > limits.lines {
        settle(index, old, new, as: .cut(newParts))
      } else {
        compare(index, oldParts, newParts)
      }
    default: settle(index, old, new)
    }
  }

  /// Ends the search at a node.
  ///
  /// If the change was only assumed, the values are compared first.
  private mutating func settle(
    _ index: Int, _ old: Any, _ new: Any, as kind: Change.Kind? = nil
  ) {
    if all[index].basis != .verdict, equality.isSame(old, new) == true {
      end(unseen: index)
    } else if let kind {
      all[index].kind = kind
    } else {
      replace(index, old, new)
    }
  }

  private mutating func replace(_ index: Int, _ old: Any, _ new: Any) {
    let notes = Distinction.between(old, new, all[index].cursors)
    all[index].kind = .replaced(old, new, note: notes)
  }

  /// Ends the search at a node in whose parts no difference was found.
  private mutating func end(unseen index: Int) {
    var index = index
    while let (old, new) = all[index].values {
      switch all[index].basis {
      case .guess:
        // The value was not compared as a whole, and no part of it differs.
        all[index].kind = .same
      case .rest where equality.areSame(old, new):
        // The difference is in the surrounding value, but not in this part.
        all[index].kind = .same
      case .rest, .verdict:
        if equality.holdsIrreflexive(old) {
          // `==` is false only because of a NaN.
          all[index].kind = .same
        } else {
          replace(index, old, new)
        }
        return
      }
      guard all[index].parent >= 0 else { return }
      index = all[index].parent
    }
  }

  /// Removes the nodes that turned out to be the same, from the leaves to the root.
  private mutating func prune() {
    for index in all.indices.reversed() {
      guard case .within(var within) = all[index].kind else { continue }
      let count = within.children.count
      within.children.removeAll {
        if case .same = all[$0].kind { return true }
        return false
      }
      guard within.children.count < count else { continue }
      within.unchanged += count - within.children.count
      all[index].kind = within.children.isEmpty && within.isComplete ? .same : .within(within)
    }
  }

  // MARK: - Parts

  private mutating func compare(_ index: Int, _ old: ValueParts, _ new: ValueParts) {
    var within = Change.Within(parts: new)
    switch (old.children, new.children) {
    case (.fields(let oldFields), .fields(let newFields)):
      guard oldFields.map(\.key.name) == newFields.map(\.key.name) else {
        return compareByName(index, oldFields, newFields, &within)
      }
      compare(index, oldFields, newFields, &within)
    case (.list(let old), .list(let new)): compare(index, old, new, &within)
    case (.members(let old), .members(let new)): compare(index, old, new, &within)
    case (.entries(let old), .entries(let new)): compare(index, old, new, &within)
    default: return end(unseen: index)
    }
    finish(index, within)
  }

  private mutating func finish(_ index: Int, _ within: Change.Within) {
    if within.children.isEmpty, within.isComplete { return end(unseen: index) }
    all[index].kind = .within(within)
    // Reversed, because the last element of `work` is handled first.
    work += within.children.reversed().filter { all[$0].values != nil }
  }

  private mutating func compare(
    _ index: Int, _ old: [Field], _ new: [Field], _ within: inout Change.Within
  ) {
    // Fields that are quick to compare go first. If the values differ and all fields but one are
    // the same, the last one must differ and needs no comparison.
    var isSame = [Bool?](repeating: nil, count: new.count)
    for offset in new.indices where Self.isQuick(new[offset].value) {
      isSame[offset] = equality.areSame(old[offset].value, new[offset].value)
    }
    let slow = new.indices.filter { isSame[$0] == nil }
    var isUnknown = [Bool](repeating: false, count: new.count)
    var basis = Change.Basis.verdict
    for offset in slow {
      let (old, new) = (old[offset].value, new[offset].value)
      if offset != slow.last || isSame.contains(false) {
        isSame[offset] = equality.sparing { equality.isSame(old, new) }
        isUnknown[offset] = isSame[offset] == nil
      } else if all[index].basis != .guess {
        basis = .rest
      } else {
        isSame[offset] = equality.isSameAtOnce(old, new)
        if isSame[offset] == nil { basis = .guess }
      }
    }
    for offset in new.indices {
      if isSame[offset] == true {
        if !new[offset].isMinor { within.unchanged += 1 }
      } else {
        add(
          to: &within, of: index, new[offset].key, old[offset].value, new[offset].value,
          isUnknown[offset] ? .guess : isSame[offset] == nil ? basis : .verdict)
      }
    }
  }

  /// Whether a value has no parts, so that postponing its comparison saves nothing.
  private static func isQuick(_ value: Any) -> Bool {
    guard let core = OptionalUnwrapping.core(of: value) else { return true }
    return core is any Presentable
      && !(core is any AnyList || core is any AnyDictionary || core is any AnySet)
  }

  /// Compares fields by name, because a custom mirror may show different fields for each value.
  private mutating func compareByName(
    _ index: Int, _ old: [Field], _ new: [Field], _ within: inout Change.Within
  ) {
    var left = old
    for field in new {
      guard let offset = left.firstIndex(where: { $0.key.name == field.key.name }) else {
        add(to: &within, of: index, field.key, .inserted(field.value), field.value)
        continue
      }
      let was = left.remove(at: offset)
      if equality.areSame(was.value, field.value) {
        within.unchanged += 1
      } else {
        add(to: &within, of: index, field.key, was.value, field.value)
      }
    }
    for field in left { add(to: &within, of: index, field.key, .removed(field.value), field.value) }
    finish(index, within)
  }

  // MARK: - Nodes

  mutating func add(
    to within: inout Change.Within, of parent: Int, _ key: PartKey, _ old: Any, _ new: Any,
    _ basis: Change.Basis = .verdict
  ) {
    var key = key
    var old = old
    var new = new
    if let was = old as? KeyedValue, let now = new as? KeyedValue {
      key = .entry(now.key)
      old = was.value
      new = now.value
    }
    add(to: &within, of: parent, key, .pending, new, basis, values: (old, new))
  }

  mutating func add(
    to within: inout Change.Within, of parent: Int, _ key: PartKey, _ kind: Change.Kind,
    _ value: Any,
    _ basis: Change.Basis = .verdict, values: (Any, Any)? = nil
  ) {
    // Each change takes at least one line.
    guard all.count <= limits.lines else {
      within.more += 1
      return
    }
    within.children.append(all.count)
    let (old, new) = values ?? (value, value)
    let (was, now) = all[parent].cursors
    all.append(
      Change(
        key: key, parent: parent, depth: all[parent].depth + 1,
        cursors: (was.into(key, old), now.into(key, new)), basis: basis, kind: kind,
        values: values))
  }
}
