import Signalbox

/// Finds the wanted changes that a value lacks (T5).
///
///     before: (a: 1, b: 1)    wanted: (a: 2, b: 1)    actual: (a: 3, b: 5)
///     a: 2 → 3                the change of `a` is missing, and `b` may be anything
///
/// Values with parts are compared part by part, except for enums and for lists in which elements
/// are inserted, removed or moved, or all replaced if they have no parts. A work list replaces
/// recursion.
struct MissingChanges {
  /// A part of the three values.
  private struct Place {
    let path: String
    let before: Any
    let wanted: Any
    let actual: Any
    let cursors: (wanted: RedactionCursor, actual: RedactionCursor)
    var depth = 0

    func part(_ path: String, _ key: PartKey, _ before: Any, _ wanted: Any, _ actual: Any) -> Place
    {
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
    var work = [Place(path: "", before: before, wanted: wanted, actual: actual, cursors: cursors)]
    while let place = work.popLast() {
      guard isWanted(place), !equality.areSame(place.wanted, place.actual), isNew(place)
      else { continue }
      let count = changes.all.count
      let parts = parts(of: place)?.filter { isWanted($0) }
      // If only `==` can tell that the values differ, no part does. A set consists of its members.
      let isSet = OptionalUnwrapping.core(of: place.wanted) is any AnySet
      if parts == nil || parts?.isEmpty == true && !isSet && changes.all.count == count {
        changes.add(
          from: place.wanted, to: place.actual, at: place.path,
          (place.cursors.wanted, place.cursors.actual))
      }
      // Reversed, because the last element of `work` is handled first.
      work += (parts ?? []).reversed()
    }
  }

  private func isWanted(_ place: Place) -> Bool { !equality.areSame(place.before, place.wanted) }

  /// Whether the objects of a place are not met yet; objects may refer to one another.
  private mutating func isNew(_ place: Place) -> Bool {
    guard let before = OptionalUnwrapping.core(of: place.before),
      let wanted = OptionalUnwrapping.core(of: place.wanted),
      let actual = OptionalUnwrapping.core(of: place.actual),
      let change = ObjectPair(before, wanted), let result = ObjectPair(wanted, actual)
    else { return true }
    return met.insert([change, result]).inserted
  }

  /// Adds what is missing as a whole, and returns the parts that may change by themselves, if any.
  private mutating func parts(of place: Place) -> [Place]? {
    let cursor = place.cursors.wanted
    guard place.depth < SourceChanges.limits.depth, !cursor.isHidden,
      let before = OptionalUnwrapping.core(of: place.before),
      let wanted = OptionalUnwrapping.core(of: place.wanted),
      let actual = OptionalUnwrapping.core(of: place.actual),
      case .parts(let old) = ValueShape.at(before, cursor, bare: true),
      case .parts(let new) = ValueShape.at(wanted, cursor, bare: true),
      case .parts(let now) = ValueShape.at(actual, cursor, bare: true),
      old.name == new.name, new.name == now.name, new.caseName == nil,
      // A mirror may leave out properties.
      !(actual is any CustomReflectable) || Dump.isKnown(actual)
    else { return nil }
    let path = place.path + OptionalUnwrapping.marks(of: place.wanted)
    switch (old.children, new.children, now.children) {
    // What was emptied must be empty, as a list must.
    case (_, .members(let new), _) where new.size == 0: return nil
    case (_, .entries(let new), _) where new.size == 0: return nil
    case (.fields(let old), .fields(let new), .fields(let now)):
      return fields(of: place, at: path, old, new, now)
    case (.list(let old), .list(let new), .list(let now)):
      return elements(of: place, at: path, old, new, now)
    case (.members(let old), .members(let new), .members(let now)):
      addMembers(of: place, at: path, old, new, now)
      return []
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

  /// The changed elements, found by `id` or index; `nil` if some are inserted, removed or moved, or
  /// if all are replaced and have no parts.
  private mutating func elements(
    of place: Place, at path: String, _ old: any AnyList, _ new: any AnyList, _ now: any AnyList
  ) -> [Place]? {
    let edits = ListEdits(from: old, to: new, equality).edits
    let indices = edits.completeMap { edit -> Int? in
      if case .changed(let i, let j) = edit, i == j { j } else { nil }
    }
    guard let indices,
      indices.count < old.length || !indices.allSatisfy({ Dump.isWhole(new.item($0)) })
    else { return nil }
    var parts: [Place] = []
    lazy var offsets = Dictionary(
      (0..<now.length).reversed().map { (ElementName.id(of: now.item($0)), $0) },
      uniquingKeysWith: { $1 })
    for index in indices {
      let element = new.item(index)
      let cursor = place.cursors.wanted.into(.index(index), element)
      let name = path + ElementName.text("\(index)", of: element, cursor)
      let id = ElementName.id(of: element)
      let isThere = index < now.length && (id == nil || ElementName.id(of: now.item(index)) == id)
      if let other = isThere ? index : id == nil ? nil : offsets[id] {
        parts.append(
          place.part(name, .index(index), old.item(index), element, now.item(other)))
      } else {
        changes.add(missing: element, at: name, place.cursors.wanted.into(nil, element))
      }
    }
    return parts
  }

  /// Adds the members that are missing, and those that should have been removed.
  private mutating func addMembers(
    of place: Place, at path: String, _ old: any AnySet, _ new: any AnySet, _ now: any AnySet
  ) {
    for member in new.missing(in: now) where !old.has(member) {
      changes.add(missing: member, at: path, place.cursors.wanted.into(nil, member))
    }
    for member in now.missing(in: new) where old.has(member) {
      let text = SourceChanges.line(of: member, place.cursors.actual.into(nil, member))
      changes.add(PathChange(path: path, kind: .inserted(text)))
    }
  }

  private func fields(
    of place: Place, at path: String, _ old: [Field], _ new: [Field], _ now: [Field]
  ) -> [Place]? {
    let names = new.map(\.key.label)
    guard !names.contains(nil), names == old.map(\.key.label),
      names == now.map(\.key.label)
    else { return nil }
    return new.indices.map { index in
      let name = names[index] ?? ""
      return place.part(
        path.isEmpty ? name : "\(path).\(name)", new[index].key, old[index].value,
        new[index].value, now[index].value)
    }
  }
}

extension SourceChanges {
  /// The changes from `before` to `wanted` that `actual` lacks, shown from wanted to actual.
  package static func missing(from before: Any, to wanted: Any, in actual: Any) -> SourceChanges {
    MissingChanges(from: before, to: wanted, in: actual).changes
  }
}
