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
/// to what it was, and `MissingChanges` decides. It also decides about a list from which the closure
/// removes elements, because both runs may agree although they remove different ones.
struct UnheldWrites {
  private(set) var changes = SourceChanges()
  private let equality = DeepEquality()

  /// A part of the first run's value (`before`), the second run's (`wanted`) and the actual value.
  private typealias Place = MissingChanges.Place

  init(from before: Any, to wanted: Any, again: Any, in actual: Any) {
    let shortened = Self.shortened(from: before, to: wanted)
    let cursors = (RedactionCursor(at: again), RedactionCursor(at: actual))
    var work = [Place(path: "", before: wanted, wanted: again, actual: actual, cursors: cursors)]
    var met: Set<ObjectPair> = []
    while let place = work.popLast() {
      if equality.areSame(place.wanted, place.actual) || shortened.contains(place.path) { continue }
      if let again = OptionalUnwrapping.core(of: place.wanted),
        let actual = OptionalUnwrapping.core(of: place.actual),
        let pair = ObjectPair(again, actual), !met.insert(pair).inserted
      {
        continue
      }
      let hasShortened = shortened.contains { path in
        place.path.isEmpty || [".", "?"].contains { path.hasPrefix(place.path + $0) }
      }
      if let wanted = place.before, !hasShortened, equality.areSame(wanted, place.wanted) {
        changes.add(
          from: place.wanted, to: place.actual, at: place.path,
          (place.cursors.wanted, place.cursors.actual))
      } else {
        work += parts(of: place).reversed()
      }
    }
  }

  /// The paths of the lists that are shorter than before, which are properties of structs.
  private static func shortened(from before: Any, to wanted: Any) -> Set<String> {
    var paths: Set<String> = []
    var work = [("", before, wanted)]
    while let (path, before, wanted) = work.popLast() {
      if let before = before as? any AnyList, let wanted = wanted as? any AnyList {
        if wanted.length < before.length { paths.insert(path) }
        continue
      }
      guard !(type(of: before) is AnyClass),
        case .parts(let old) = ValueShape.at(before, .idle, bare: true),
        case .parts(let new) = ValueShape.at(wanted, .idle, bare: true),
        case .fields(let oldFields) = old.children, case .fields(let newFields) = new.children
      else { continue }
      let inner = path + OptionalUnwrapping.marks(of: wanted)
      for (old, new) in zip(oldFields, newFields) {
        guard let name = new.key.name else { continue }
        work.append((inner.isEmpty ? name : "\(inner).\(name)", old.value, new.value))
      }
    }
    return paths
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
    let hasIndexes = first.length == second.length && second.length == now.length
    let identities = (0..<first.length).compactMap { index in
      Keys.identity(first.item(index)).map { ($0, index) }
    }
    let places = Dictionary(identities) { first, _ in first }
    return edits.compactMap { edit in
      let (i, j): (Int, Int)
      switch edit {
      case .changed(let old, let new), .moved(let old, let new, isChanged: true):
        (i, j) = (old, new)
      default: return nil
      }
      let element = second.item(j)
      // Without an `id`, the closure may have found the element by its index.
      let partner =
        if let identity = Keys.identity(element) { places[identity] } else { hasIndexes ? j : nil }
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
    for member in second.missing(in: now) where first.has(member) {
      changes.add(missing: member, at: path, place.cursors.wanted.into(nil, member))
    }
    for member in now.missing(in: second) where !first.has(member) {
      changes.add(unexpected: member, at: path, place.cursors.actual.into(nil, member))
    }
  }
}

extension SourceChanges {
  /// What both runs of a closure agree on and `actual` lacks.
  ///
  /// - Parameters:
  ///   - before: the value before.
  ///   - wanted: what the closure made of the value before.
  ///   - again: what the closure made of `actual`.
  ///   - actual: the actual value.
  package static func unheld(
    from before: Any, to wanted: Any, again: Any, in actual: Any
  ) -> SourceChanges {
    UnheldWrites(from: before, to: wanted, again: again, in: actual).changes
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
    for change in unheld(from: before, to: wanted, again: again, in: actual).all
    where !reported.contains(property(of: change.path)) {
      changes.add(change)
    }
    return changes
  }

  /// The first name of a path.
  private static func property(of path: String) -> Substring {
    path.prefix { $0 != "." && $0 != "[" && $0 != "?" }
  }
}
