/// Finds the wanted changes that a value lacks.
///
///     before: (a: 1, b: 1)    wanted: (a: 2, b: 1)    actual: (a: 3, b: 5)
///     a: 2 → 3                the change of `a` is missing, and `b` may be anything
///
/// Structs, tuples, objects, dictionaries and lists of the same length are compared part by part. A
/// part without a wanted change may be anything. Other values are compared as a whole. A work list
/// replaces recursion.
struct MissingChanges {
  /// A part of the three values.
  private struct Place {
    let path: String
    let before: Any
    let wanted: Any
    let actual: Any
    /// The cursors at the wanted and the actual part.
    let cursors: (wanted: RedactionCursor, actual: RedactionCursor)
    var depth = 0
  }

  private(set) var changes = SourceChanges()
  private let equality = DeepEquality()
  /// The changes of objects that have been looked for, each with the objects that should have them.
  private var met: Set<[ObjectPair]> = []

  init(from before: Any, to wanted: Any, in actual: Any) {
    let cursors = (RedactionCursor(at: wanted), RedactionCursor(at: actual))
    var work = [
      Place(path: "", before: before, wanted: wanted, actual: actual, cursors: cursors)
    ]
    while let place = work.popLast() {
      guard isWanted(place), !equality.areSame(place.wanted, place.actual), isNew(place)
      else { continue }
      // If only `==` can tell that the values differ, no part does.
      let parts = parts(of: place).filter { isWanted($0) }
      if parts.isEmpty {
        changes.add(
          from: place.wanted, to: place.actual, at: place.path,
          (place.cursors.wanted, place.cursors.actual))
      }
      // Reversed, because the last element of `work` is handled first.
      work += parts.reversed()
    }
  }

  private func isWanted(_ place: Place) -> Bool { !equality.areSame(place.before, place.wanted) }

  /// Whether the objects of a place have not been compared yet.
  ///
  /// Objects may refer to one another, so the search may come to the same objects again.
  private mutating func isNew(_ place: Place) -> Bool {
    guard let before = OptionalUnwrapping.core(of: place.before),
      let wanted = OptionalUnwrapping.core(of: place.wanted),
      let actual = OptionalUnwrapping.core(of: place.actual),
      let change = ObjectPair(before, wanted), let result = ObjectPair(wanted, actual)
    else { return true }
    return met.insert([change, result]).inserted
  }

  /// The parts that may change independently of one another.
  ///
  /// Empty if the place has none.
  private func parts(of place: Place) -> [Place] {
    let cursor = place.cursors.wanted
    guard place.depth < SourceChanges.limits.depth, !cursor.isHidden,
      let before = OptionalUnwrapping.core(of: place.before),
      let wanted = OptionalUnwrapping.core(of: place.wanted),
      let actual = OptionalUnwrapping.core(of: place.actual),
      case .parts(let old) = ValueShape.at(before, cursor, bare: true),
      case .parts(let new) = ValueShape.at(wanted, cursor, bare: true),
      case .parts(let now) = ValueShape.at(actual, cursor, bare: true),
      old.name == new.name, new.name == now.name, new.caseName == nil
    else { return [] }
    let path = place.path + OptionalUnwrapping.marks(of: place.wanted)
    switch (old.children, new.children, now.children) {
    case (.fields(let old), .fields(let new), .fields(let now)):
      return fields(of: place, at: path, old, new, now)
    case (.list(let old), .list(let new), .list(let now)):
      guard Mirror(reflecting: wanted).displayStyle == .collection, old.length == new.length,
        new.length == now.length
      else { return [] }
      return (0..<new.length).map { offset in
        part(
          of: place, "\(path)[\(offset)]", .index(offset), old.item(offset), new.item(offset),
          now.item(offset))
      }
    case (.entries(let old), .entries(let new), .entries(let now)):
      return entries(of: place, at: path, old, new, now)
    default: return []
    }
  }

  private func fields(
    of place: Place, at path: String, _ old: [Field], _ new: [Field], _ now: [Field]
  ) -> [Place] {
    let names = new.map { Self.name(of: $0.key) }
    guard !names.contains(nil), names == old.map({ Self.name(of: $0.key) }),
      names == now.map({ Self.name(of: $0.key) })
    else { return [] }
    return new.indices.map { index in
      let name = names[index] ?? ""
      return part(
        of: place, path.isEmpty ? name : "\(path).\(name)", new[index].key, old[index].value,
        new[index].value, now[index].value)
    }
  }

  private func entries(
    of place: Place, at path: String, _ old: any AnyDictionary, _ new: any AnyDictionary,
    _ now: any AnyDictionary
  ) -> [Place] {
    // A key that is only in the actual value is not wanted.
    let keys = new.stableKeys + old.stableKeys.filter { new.value(for: $0) == nil }
    return keys.map { key in
      let name = SourceFormatter.text(of: key, place.cursors.wanted.into(nil, key))
      // As optionals, because an entry may be missing.
      return part(
        of: place, "\(path)[\(name)]", .entry(key), old.value(for: key) as Any,
        new.value(for: key) as Any, now.value(for: key) as Any)
    }
  }

  private func part(
    of place: Place, _ path: String, _ key: Key, _ before: Any, _ wanted: Any, _ actual: Any
  ) -> Place {
    let cursors = (
      wanted: place.cursors.wanted.into(key, wanted), actual: place.cursors.actual.into(key, actual)
    )
    return Place(
      path: path, before: before, wanted: wanted, actual: actual, cursors: cursors,
      depth: place.depth + 1)
  }

  private static func name(of key: Key) -> String? {
    switch key {
    case .name(let name): name
    case .position(let offset): "\(offset)"
    case .none, .index, .moved, .entry: nil
    }
  }
}

extension SourceChanges {
  /// The changes from `before` to `wanted` that `actual` lacks.
  ///
  /// Each is shown as a change from the wanted to the actual value.
  package static func missing(from before: Any, to wanted: Any, in actual: Any) -> SourceChanges {
    MissingChanges(from: before, to: wanted, in: actual).changes
  }
}
