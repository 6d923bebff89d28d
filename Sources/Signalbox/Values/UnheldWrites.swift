/// Finds what two runs of a closure agree on and a value lacks (T8).
///
///     closure: { $0.isLoading = false; $0.count += 1 }
///     before:  (isLoading: false, count: 0)    wanted: (isLoading: false, count: 1)
///     actual:  (isLoading: true,  count: 1)    again:  (isLoading: false, count: 2)
///     isLoading: false → true
///
/// The closure ran on the value before, which gives `wanted`, and on the actual value, which gives
/// `again`. A part that the second run changes is written by the closure. If both runs write the
/// same there, the actual value should have it. If they don't, the closure changes the part relative
/// to what it was, and `MissingChanges` decides.
struct UnheldWrites {
  private(set) var changes = SourceChanges()
  private let equality = DeepEquality()

  /// A part of the wanted value (`before`), of the value again (`wanted`) and of the actual value.
  private typealias Place = MissingChanges.Place

  init(wanted: Any, again: Any, in actual: Any) {
    let cursors = (RedactionCursor(at: again), RedactionCursor(at: actual))
    var work = [Place(path: "", before: wanted, wanted: again, actual: actual, cursors: cursors)]
    var met: Set<ObjectPair> = []
    while let place = work.popLast() {
      if equality.areSame(place.wanted, place.actual) { continue }
      if let again = OptionalUnwrapping.core(of: place.wanted),
        let actual = OptionalUnwrapping.core(of: place.actual),
        let pair = ObjectPair(again, actual), !met.insert(pair).inserted
      {
        continue
      }
      if let wanted = place.before, equality.areSame(wanted, place.wanted) {
        changes.add(
          from: place.wanted, to: place.actual, at: place.path,
          (place.cursors.wanted, place.cursors.actual))
      } else {
        work += parts(of: place).reversed()
      }
    }
  }

  private mutating func parts(of place: Place) -> [Place] {
    let cursor = place.cursors.wanted
    guard place.depth < SourceChanges.limits.depth, !cursor.isHidden,
      let wanted = place.before.flatMap({ OptionalUnwrapping.core(of: $0) }),
      let again = OptionalUnwrapping.core(of: place.wanted),
      let actual = OptionalUnwrapping.core(of: place.actual),
      case .parts(let first) = ValueShape.at(wanted, cursor, bare: true),
      case .parts(let second) = ValueShape.at(again, cursor, bare: true),
      case .parts(let now) = ValueShape.at(actual, cursor, bare: true),
      first.name == second.name, second.name == now.name
    else { return [] }
    let path = place.path + OptionalUnwrapping.marks(of: place.wanted)
    switch (first.children, second.children, now.children) {
    case (.fields(let first), .fields(let second), .fields(let now)):
      return MissingChanges.fields(of: place, at: path, first, second, now) ?? []
    case (.list(let first), .list(let second), .list(let now)):
      return elements(of: place, at: path, first, second, now)
    case (.members(let first), .members(let second), .members(let now)):
      members(of: place, at: path, first, second, now)
      return []
    case (.entries(let first), .entries(let second), .entries(let now)):
      let keys = second.stableKeys + now.stableKeys.filter { second.value(for: $0) == nil }
      return keys.map { key in
        let name = SourceFormatter.text(of: key, cursor.into(nil, key))
        return place.part(
          "\(path)[\(name)]", .entry(key), first.value(for: key) as Any,
          second.value(for: key) as Any, now.value(for: key) as Any)
      }
    default: return []
    }
  }

  /// The elements that the second run has changed in place.
  private func elements(
    of place: Place, at path: String, _ first: any AnyList, _ second: any AnyList,
    _ now: any AnyList
  ) -> [Place] {
    let edits = ListEdits(from: now, to: second, equality).edits
    let hasSameOrder = edits.allSatisfy { if case .changed = $0 { true } else { false } }
    return edits.compactMap { edit in
      let (i, j): (Int, Int)
      switch edit {
      case .changed(let old, let new), .moved(let old, let new, isChanged: true):
        (i, j) = (old, new)
      default: return nil
      }
      let element = second.item(j)
      let partner: Int?
      if let identity = Keys.identity(element) {
        partner = (0..<first.length).first { Keys.identity(first.item($0)) == identity }
      } else {
        // Without an `id`, the closure has found the element by its index.
        partner = hasSameOrder && j < first.length ? j : nil
      }
      guard let partner else { return nil }
      let cursor = place.cursors.wanted.into(.index(j), element)
      return place.part(
        path + ElementName.text("\(j)", of: element, cursor), .index(j), first.item(partner),
        element,
        now.item(i))
    }
  }

  /// Adds members that both runs insert and members that both remove.
  private mutating func members(
    of place: Place, at path: String, _ first: any AnySet, _ second: any AnySet, _ now: any AnySet
  ) {
    func isIn(_ set: any AnySet, _ member: Any) -> Bool {
      set.all.contains { equality.areSame($0, member) }
    }
    for member in second.missing(in: now) where isIn(first, member) {
      changes.add(missing: member, at: path, place.cursors.wanted.into(nil, member))
    }
    for member in now.missing(in: second) where !isIn(first, member) {
      changes.add(unexpected: member, at: path, place.cursors.actual.into(nil, member))
    }
  }
}

extension SourceChanges {
  /// What both runs of a closure agree on and `actual` lacks.
  ///
  /// - Parameters:
  ///   - wanted: what the closure made of the value before.
  ///   - again: what the closure made of `actual`.
  ///   - actual: the actual value.
  package static func unheld(wanted: Any, again: Any, in actual: Any) -> SourceChanges {
    UnheldWrites(wanted: wanted, again: again, in: actual).changes
  }

  /// What a closure demands and `actual` lacks.
  ///
  /// - Parameters:
  ///   - before: the value before.
  ///   - wanted: what the closure made of the value before.
  ///   - again: what the closure made of `actual`. `nil` if it did not run on it.
  ///   - actual: the actual value.
  package static func unmet(
    from before: Any, to wanted: Any, again: Any?, in actual: Any
  ) -> SourceChanges {
    var changes = missing(from: before, to: wanted, in: actual)
    guard let again else { return changes }
    // A property in which a change is missing may differ for that reason only.
    let reported = Set(changes.all.map { property(of: $0.path) })
    for change in unheld(wanted: wanted, again: again, in: actual).all
    where !reported.contains(property(of: change.path)) {
      changes.add(change)
    }
    return changes
  }

  /// The first name of a path.
  private static func property(of path: String) -> Substring {
    path.prefix { $0 != "." && $0 != "[" && $0 != "?" }
  }

  /// Whether a closure that ran on `before` may also run on `actual`.
  ///
  /// The closure may use an index, a key or an `id` that `before` has, or may unwrap an optional by
  /// force. It may run if `actual` has all of them: lists that are as long, the same keys and
  /// identities, and a value in each optional. A closure that searches for an element by another
  /// property may still fail to find it.
  package static func mayRunAgain(on actual: Any, after before: Any) -> Bool {
    let equality = DeepEquality()
    var work = [(before, actual, 0)]
    while let (before, actual, depth) = work.popLast() {
      if equality.areSame(before, actual) { continue }
      guard let old = OptionalUnwrapping.core(of: before) else { continue }
      guard let new = OptionalUnwrapping.core(of: actual) else { return false }
      if type(of: old) is AnyClass || depth > limits.depth { continue }
      guard case .parts(let oldParts) = ValueShape.at(old, .idle, bare: true),
        case .parts(let newParts) = ValueShape.at(new, .idle, bare: true),
        oldParts.name == newParts.name
      else { continue }
      switch (oldParts.children, newParts.children) {
      case (.fields(let old), .fields(let new)):
        work += zip(old, new).map { ($0.value, $1.value, depth + 1) }
      case (.list(let old), .list(let new)):
        guard old.length <= new.length else { return false }
        let identities = (0..<new.length).compactMap { Keys.identity(new.item($0)) }
        let places = Dictionary(zip(identities, identities.indices)) { first, _ in first }
        for index in 0..<old.length {
          let element = old.item(index)
          let identity = identities.count == new.length ? Keys.identity(element) : nil
          guard let place = identity.map({ places[$0] }) ?? index else { return false }
          work.append((element, new.item(place), depth + 1))
        }
      case (.entries(let old), .entries(let new)):
        for key in old.allKeys {
          guard let value = new.value(for: key) else { return false }
          work.append((old.value(for: key) as Any, value, depth + 1))
        }
      default: continue
      }
    }
    return true
  }
}
