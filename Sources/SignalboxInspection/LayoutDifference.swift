import Foundation
import Signalbox

/// Finds the edits between two structs that reflection finds, but faster, by their layout.
///
/// At most one part that differs may have a type without a layout, whose edits reflection finds.
struct LayoutDifference {
  typealias Result = (edits: [ValueEdit], parts: [ChangedPart])
  private typealias Place = EditCollector.Place

  private let cursor: RedactionCursor
  private var room: Int
  private var result: Result = ([], [])
  private var hasReflected = false

  /// The edits that lead from a value to another one; `nil` if only reflection can find them.
  static func changes(from old: Any, to new: Any, _ redaction: Redaction, room: Int) -> Result? {
    let layout = ValueLayout.of(type(of: new))
    guard case .record = layout.kind, type(of: old) == layout.type else { return nil }
    let cursor = RedactionCursor(redaction, at: new)
    guard cursor.isOpen(to: layout.type) else { return nil }
    var difference = LayoutDifference(cursor: cursor, room: room)
    let result: Result?? = unsafe layout.withAddress(of: old) { old in
      unsafe layout.withAddress(of: new) { new in
        if unsafe layout.areSame(old, new) { return ([], []) }
        // A value may differ from itself, as one with a NaN does.
        guard unsafe difference.find(layout, old, new, at: Place(), depth: 0),
          !difference.result.edits.isEmpty
        else { return nil }
        return difference.result
      } ?? nil
    }
    return result ?? nil
  }

  /// Adds the edits of a part that may differ, and returns whether all of them were found.
  private mutating func find(
    _ layout: ValueLayout, _ old: UnsafeRawPointer, _ new: UnsafeRawPointer, at place: Place,
    depth: Int
  ) -> Bool {
    guard depth < ValueTree.mostLevels else { return false }
    switch layout.kind {
    case .record(let parts):
      for part in parts {
        let (old, new) = unsafe (old + part.offset, new + part.offset)
        guard unsafe !part.layout.areSame(old, new), let label = part.label else { continue }
        let place = place.at(.field(label), .property(label))
        let count = result.edits.count
        guard unsafe find(part.layout, old, new, at: place, depth: depth + 1) else { return false }
        // Its `==` sees a difference that is in none of its parts.
        if result.edits.count == count, unsafe part.layout.areEqual != nil, !part.layout.isLiteral {
          return false
        }
      }
      return true
    case .literal(let read):
      // A NaN is the same as another one.
      if unsafe read(old) == read(new) { return true }
      unsafe replace(layout, old, new, .unnamed, at: place, depth)
    case .optional(let isNil, let wrapped):
      switch unsafe (isNil(old), isNil(new)) {
      case (true, true): return true
      case (false, false):
        guard case .literal = wrapped.kind else {
          return unsafe reflect(layout, old, new, at: place, depth)
        }
        return unsafe find(wrapped, old, new, at: place, depth: depth)
      default: unsafe replace(layout, old, new, .whole, at: place, depth)
      }
    case .choice(let cases, _):
      guard unsafe cases.tag(at: old) != cases.tag(at: new) else {
        return unsafe reflect(layout, old, new, at: place, depth)
      }
      unsafe replace(layout, old, new, .whole, at: place, depth)
    case .other: return unsafe reflect(layout, old, new, at: place, depth)
    }
    return true
  }

  private mutating func replace(
    _ layout: ValueLayout, _ old: UnsafeRawPointer, _ new: UnsafeRawPointer,
    _ extent: ChangedPart.Extent, at place: Place, _ depth: Int
  ) {
    let before = unsafe ValueTree(followedAt: old, layout, cursor, depth: depth, room: &room)
    let after = unsafe ValueTree(followedAt: new, layout, cursor, depth: depth, room: &room)
    let change = EditCollector.replacement(of: before, by: after)
    result.edits.append(ValueEdit(place.path, change))
    if let steps = place.steps { result.parts.append(ChangedPart(steps, extent)) }
  }

  private mutating func reflect(
    _ layout: ValueLayout, _ old: UnsafeRawPointer, _ new: UnsafeRawPointer, at place: Place,
    _ depth: Int
  ) -> Bool {
    // Objects in several parts are shown once, so one search must see all of them.
    if exchange(&hasReflected, with: true) { return false }
    let (edits, parts) = unsafe ValueDifference.changes(
      from: layout.copy(old), to: layout.copy(new), (cursor, cursor), at: place, depth: depth,
      room: room)
    result.edits += edits
    result.parts += parts
    return true
  }
}

extension ValueLayout {
  fileprivate var isLiteral: Bool { if case .literal = kind { true } else { false } }

  /// Whether two values are the same, as far as their bytes and their `==` tell.
  fileprivate func areSame(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool {
    unsafe memcmp(old, new, size) == 0 || areEqual?(old, new) == true
  }
}
