/// The tree of what changed between two values.
///
///     State(messages: [a, b, c], count: 1)          0 within State
///     State(messages: [a, x, c], count: 2)          ├─ 1 messages: within […], 2 unchanged
///                                                   │  └─ 2 [1]: replaced(b, x)
///                                                   └─ 3 count: replaced(1, 2)
///
/// An array of nodes and a stack of open ones keep deep values from overflowing the stack, when the
/// tree is built and when it is released. A node without a difference is removed when it is closed.
package struct Changes {
  package private(set) var all: [Change] = []
  let equality: DeepEquality
  private let limits: Limits
  private var frames: [Frame] = []
  /// Whether each pair of objects differs; one that is open counts as the same, which ends cycles.
  private var met: [ObjectPair: Bool] = [:]

  /// A part that may differ.
  enum Candidate {
    case pair(PartKey, Any, Any, isMinor: Bool)
    case change(PartKey, Change.Kind, Any)
  }

  /// A node whose parts are being compared.
  private struct Frame {
    let index: Int
    let pair: ObjectPair?
    let candidates: [Candidate]
    var next = 0
    var within: Change.Within
    /// Whether the values are known to differ.
    let isCertain: Bool
    /// The number of nodes that the tree may have when this one is closed.
    let most: Int
  }

  /// Compares two values, up to `effort` parts by reflection; `nil` if there is no difference.
  package init?(
    from old: Any, to new: Any, _ limits: Limits,
    _ cursors: (old: RedactionCursor, new: RedactionCursor), effort: Int = .max
  ) {
    self.limits = limits
    equality = DeepEquality(effort: effort)
    // Each change takes at least one line.
    let most = limits.lines == .max ? .max : limits.lines + 1
    compare(.none, old, new, cursors, most)
    while !frames.isEmpty { step() }
    if all.isEmpty { return nil }
  }

  private mutating func step() {
    let top = frames.count - 1
    let next = frames[top].next
    guard next < frames[top].candidates.count else { return close() }
    frames[top].next += 1
    let (was, now) = all[frames[top].index].cursors
    let most = frames[top].most
    let free = most - all.count
    switch frames[top].candidates[next] {
    case .pair(let key, let old, let new, let isMinor):
      if free <= 0 { return count(old, new, isMinor: isMinor) }
      // The parts that follow get one node each, but no more than half of those that are free.
      let following = min(frames[top].candidates.count - next - 1, free / 2)
      let cursors = (was.into(key, old), now.into(key, new))
      compare(key, old, new, cursors, most - following, isMinor: isMinor)
    case .change(let key, let kind, let value):
      if free <= 0 {
        frames[top].within.more += 1
        return
      }
      append(key, kind, nil, (was.into(key, value), now.into(key, value)))
      keep(all.count - 1)
    }
  }

  /// Counts a part for which there is no node left.
  private mutating func count(_ old: Any, _ new: Any, isMinor: Bool) {
    switch equality.isSame(old, new) {
    case true?: if !isMinor { frames[frames.count - 1].within.unchanged += 1 }
    case false?: frames[frames.count - 1].within.more += 1
    case nil: frames[frames.count - 1].within.uncompared += 1
    }
  }

  // MARK: - One node

  private mutating func append(
    _ key: PartKey, _ kind: Change.Kind, _ values: (Any, Any)?,
    _ cursors: (old: RedactionCursor, new: RedactionCursor)
  ) {
    let parent = frames.last?.index ?? -1
    all.append(
      Change(
        key: key, parent: parent, depth: parent < 0 ? 0 : all[parent].depth + 1, cursors: cursors,
        kind: kind, values: values))
  }

  /// Makes the last node a part of the open one.
  private mutating func keep(_ index: Int) {
    if let top = frames.indices.last { frames[top].within.children.append(index) }
  }

  /// Removes the last node, because the values are the same.
  private mutating func drop() {
    all.removeLast()
    if let top = frames.indices.last { frames[top].within.unchanged += 1 }
  }

  private mutating func compare(
    _ key: PartKey, _ old: Any, _ new: Any,
    _ cursors: (old: RedactionCursor, new: RedactionCursor), _ most: Int, isMinor: Bool = false
  ) {
    let verdict = equality.isSameAtOnce(old, new)
    if verdict == true {
      if let top = frames.indices.last, !isMinor { frames[top].within.unchanged += 1 }
      return
    }
    append(key, .replaced(old, new, note: ("", "")), (old, new), cursors)
    guard !cursors.old.isHidden, !cursors.new.isHidden, type(of: old) == type(of: new),
      let oldCore = OptionalUnwrapping.core(of: old),
      let newCore = OptionalUnwrapping.core(of: new),
      type(of: oldCore) == type(of: newCore)
    else { return settle(isCertain: verdict != nil) }
    expand(oldCore, newCore, isCertain: verdict != nil, most, bare: false)
  }

  /// Opens the last node, or settles it if its values have no parts.
  private mutating func expand(
    _ old: Any, _ new: Any, isCertain: Bool, _ most: Int, bare: Bool
  ) {
    let index = all.count - 1
    let cursors = all[index].cursors
    switch (
      ValueShape.at(old, cursors.old, bare: bare), ValueShape.at(new, cursors.new, bare: bare)
    ) {
    case (.text(let was), .text(let now)) where was != now:
      settle(isCertain: isCertain, as: TextEdits.kind(from: was, to: now, limits))
    case (.data(let was), .data(let now)) where was != now:
      let (was, now) = TextEdits.windows(from: was, to: now)
      settle(isCertain: isCertain, as: .retold(was, now))
    case (.leaf(let was), .leaf(let now)) where was == now && !bare:
      expand(old, new, isCertain: isCertain, most, bare: true)
    case (.leaf(let was), .leaf(let now)) where was != now && TextEdits.areLong(was, now):
      settle(isCertain: isCertain, as: TextEdits.kind(from: was, to: now, limits))
    case (.parts(let was), .parts(let now)) where was.name == now.name:
      let pair = ObjectPair(old, new)
      if let pair, let isDifferent = met[pair] {
        return isDifferent || isCertain ? settle(isCertain: true, as: .shown(now)) : drop()
      }
      if !isCertain, equality.isExhausted {
        return settle(isCertain: true, as: .uncompared(now))
      }
      if all[index].depth >= limits.depth || all.count >= most {
        return settle(isCertain: isCertain, as: .cut(now))
      }
      var within = Change.Within(parts: now)
      guard let candidates = self.candidates(was, now, &within) else {
        return settle(isCertain: isCertain)
      }
      if let pair { met[pair] = false }
      equality.spend(1 + candidates.count)
      frames.append(
        Frame(
          index: index, pair: pair, candidates: candidates, within: within, isCertain: isCertain,
          most: most))
    default: settle(isCertain: isCertain)
    }
  }

  /// Ends the search at the last node, comparing its values unless they are known to differ.
  private mutating func settle(isCertain: Bool, as kind: Change.Kind? = nil) {
    let index = all.count - 1
    guard let (old, new) = all[index].values else { return }
    var kind = kind
    if !isCertain {
      let verdict = equality.isSame(old, new)
      if verdict == true { return drop() }
      if verdict == nil, case .cut(let parts) = kind { kind = .uncompared(parts) }
    }
    all[index].kind =
      kind ?? .replaced(old, new, note: Distinction.between(old, new, all[index].cursors))
    keep(index)
  }

  private mutating func close() {
    let frame = frames.removeLast()
    if !frame.within.children.isEmpty || !frame.within.isComplete {
      all[frame.index].kind = .within(frame.within)
      if let pair = frame.pair { met[pair] = true }
      return keep(frame.index)
    }
    guard frame.isCertain, let (old, _) = all[frame.index].values else { return drop() }
    // `==` may be false only because of a NaN.
    if equality.holdsIrreflexive(old) { drop() } else { settle(isCertain: true) }
  }
}
