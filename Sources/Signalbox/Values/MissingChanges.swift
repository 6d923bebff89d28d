/// Finds the wanted changes that a value lacks (T5).
///
///     before: (a: 1, b: 1)    wanted: (a: 2, b: 1)    actual: (a: 3, b: 5)
///     a: 2 → 3                the change of `a` is missing, and `b` may be anything
///
/// Structs, tuples, objects, dictionaries, sets and lists are compared part by part. A part without
/// a wanted change may be anything. Other values are compared as a whole. A work list replaces
/// recursion.
///
/// In a list, each inserted, changed or moved element must be found, and each removed one must be
/// gone. `MissingElements` decides where they are looked for.
struct MissingChanges {
  /// A part of the three values.
  struct Place {
    var path: String
    /// `nil` if all of the wanted value is wanted, whatever was there before.
    var before: Any?
    let wanted: Any
    let actual: Any
    /// The cursors at the wanted and the actual part.
    let cursors: (wanted: RedactionCursor, actual: RedactionCursor)
    var depth = 0

    func part(_ path: String, _ key: Key, _ before: Any?, _ wanted: Any, _ actual: Any) -> Place {
      let cursors = (
        wanted: cursors.wanted.into(key, wanted), actual: cursors.actual.into(key, actual)
      )
      return Place(
        path: path, before: before, wanted: wanted, actual: actual, cursors: cursors,
        depth: depth + 1)
    }
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
      let count = changes.all.count
      // If only `==` can tell that the values differ, no part does.
      let parts = parts(of: place)?.filter { isWanted($0) }
      if parts == nil || parts?.isEmpty == true && !isFree(place) && changes.all.count == count {
        changes.add(
          from: place.wanted, to: place.actual, at: place.path,
          (place.cursors.wanted, place.cursors.actual))
      }
      // Reversed, because the last element of `work` is handled first.
      work += (parts ?? []).reversed()
    }
  }

  private func isWanted(_ place: Place) -> Bool {
    place.before.map { !equality.areSame($0, place.wanted) } ?? true
  }

  /// Whether a place without missing parts has all that is wanted.
  ///
  /// A list or a set consists of its elements. Another value may have a `==` that compares more than
  /// its parts.
  private func isFree(_ place: Place) -> Bool {
    let core = OptionalUnwrapping.core(of: place.wanted)
    return core is any AnyList || core is any AnySet
  }

  /// Whether the objects of a place have not been compared yet.
  ///
  /// Objects may refer to one another, so the search may come to the same objects again.
  private mutating func isNew(_ place: Place) -> Bool {
    guard let before = place.before.flatMap({ OptionalUnwrapping.core(of: $0) }),
      let wanted = OptionalUnwrapping.core(of: place.wanted),
      let actual = OptionalUnwrapping.core(of: place.actual),
      let change = ObjectPair(before, wanted), let result = ObjectPair(wanted, actual)
    else { return true }
    return met.insert([change, result]).inserted
  }

  /// The parts that may change independently of one another.
  ///
  /// Adds the changes of elements that are missing as a whole. `nil` if the place has no parts.
  private mutating func parts(of place: Place) -> [Place]? {
    let cursor = place.cursors.wanted
    guard place.depth < SourceChanges.limits.depth, !cursor.isHidden,
      let before = place.before.flatMap({ OptionalUnwrapping.core(of: $0) }),
      let wanted = OptionalUnwrapping.core(of: place.wanted),
      let actual = OptionalUnwrapping.core(of: place.actual),
      case .parts(let old) = ValueShape.at(before, cursor, bare: true),
      case .parts(let new) = ValueShape.at(wanted, cursor, bare: true),
      case .parts(let now) = ValueShape.at(actual, cursor, bare: true),
      old.name == new.name, new.name == now.name, new.caseName == nil
    else { return nil }
    let path = place.path + OptionalUnwrapping.marks(of: place.wanted)
    switch (old.children, new.children, now.children) {
    case (.fields(let old), .fields(let new), .fields(let now)):
      return Self.fields(of: place, at: path, old, new, now)
    case (.list(let old), .list(let new), .list(let now)):
      guard Mirror(reflecting: wanted).displayStyle == .collection else { return nil }
      // A list of several elements that is empty now was cleared, so nothing else may be in it.
      if new.length == 0, old.length > 1 { return nil }
      return elements(of: place, at: path, old, new, now)
    case (.members(let old), .members(let new), .members(let now)):
      return members(of: place, at: path, old, new, now)
    case (.entries(let old), .entries(let new), .entries(let now)):
      // A key that is only in the actual value is not wanted.
      let keys = new.stableKeys + old.stableKeys.filter { new.value(for: $0) == nil }
      return keys.map { key in
        let name = SourceFormatter.text(of: key, cursor.into(nil, key))
        // As optionals, because an entry may be missing.
        return place.part(
          "\(path)[\(name)]", .entry(key), old.value(for: key) as Any,
          new.value(for: key) as Any, now.value(for: key) as Any)
      }
    default: return nil
    }
  }

  private mutating func elements(
    of place: Place, at path: String, _ old: any AnyList, _ new: any AnyList, _ now: any AnyList
  ) -> [Place] {
    let found = MissingElements(from: old, to: new, in: now, equality)
    func name(_ index: Int, _ list: any AnyList, _ cursor: RedactionCursor) -> String {
      let element = list.item(index)
      return path + ElementName.text("\(index)", of: element, cursor.into(.index(index), element))
    }
    for index in found.missing {
      let name = name(index, new, place.cursors.wanted)
      changes.add(
        missing: new.item(index), at: name, place.cursors.wanted.into(nil, new.item(index)))
    }
    for index in found.unexpected {
      let name = name(index, now, place.cursors.actual)
      changes.add(
        unexpected: now.item(index), at: name, place.cursors.actual.into(nil, now.item(index)))
    }
    for (index, other) in found.misplaced {
      let name = name(index, new, place.cursors.wanted)
      changes.add(PathChange(path: name, kind: .other("is at [\(other)]")))
    }
    return found.pairs.map { pair in
      place.part(
        name(pair.wanted, new, place.cursors.wanted), .index(pair.wanted),
        pair.before.map { old.item($0) }, new.item(pair.wanted), now.item(pair.actual))
    }
  }

  /// The members that are missing, or that should have been removed.
  private mutating func members(
    of place: Place, at path: String, _ old: any AnySet, _ new: any AnySet, _ now: any AnySet
  ) -> [Place] {
    for member in new.missing(in: now) where !old.has(member) {
      changes.add(missing: member, at: path, place.cursors.wanted.into(nil, member))
    }
    for member in now.missing(in: new) where old.has(member) {
      changes.add(unexpected: member, at: path, place.cursors.actual.into(nil, member))
    }
    return []
  }

  /// The fields of three values, unless their names differ.
  static func fields(
    of place: Place, at path: String, _ old: [Field], _ new: [Field], _ now: [Field]
  ) -> [Place]? {
    let names = new.map { name(of: $0.key) }
    guard !names.contains(nil), names == old.map({ name(of: $0.key) }),
      names == now.map({ name(of: $0.key) })
    else { return nil }
    return new.indices.map { index in
      let name = names[index] ?? ""
      return place.part(
        path.isEmpty ? name : "\(path).\(name)", new[index].key, old[index].value,
        new[index].value, now[index].value)
    }
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
