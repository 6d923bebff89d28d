import Foundation
import Signalbox

/// Finds the edits between two structs that reflection finds, but faster, by their layout.
///
/// The parts within at most one part are found by reflection, such as the elements of a list.
struct LayoutDifference {
  typealias Result = (edits: [ValueEdit], parts: [ChangedPart])

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
    let isFound = unsafe layout.withAddress(of: old) { old in
      unsafe layout.withAddress(of: new) { new in
        unsafe difference.find(layout, old, new, at: EditCollector.Place())
      } ?? false
    }
    return isFound == true ? difference.result : nil
  }

  /// Adds the edits of a part, and returns whether all of them were found.
  private mutating func find(
    _ layout: ValueLayout, _ old: UnsafeRawPointer, _ new: UnsafeRawPointer,
    at place: EditCollector.Place
  ) -> Bool {
    if unsafe layout.areSame(old, new) { return true }
    switch layout.kind {
    case .record(let parts):
      let count = result.edits.count
      for part in parts {
        let (old, new) = unsafe (old + part.offset, new + part.offset)
        guard unsafe !part.layout.areSame(old, new), let label = part.label else { continue }
        let place = place.at(.field(label), .property(label))
        guard unsafe find(part.layout, old, new, at: place) else { return false }
      }
      // Its `==` may see a difference that no part shows, as with a NaN.
      return result.edits.count > count
    case .literal, .optional, .choice, .other:
      if let extent = unsafe layout.extent(from: old, to: new) {
        unsafe replace(layout, old, new, extent, at: place)
        return true
      }
      // Objects in several parts are shown once, so one search must see all of them.
      if exchange(&hasReflected, with: true) { return false }
      let (edits, parts) = unsafe ValueDifference.changes(
        from: layout.copy(old), to: layout.copy(new), (cursor, cursor), at: place, room: room)
      result.edits += edits
      result.parts += parts
      return true
    }
  }

  private mutating func replace(
    _ layout: ValueLayout, _ old: UnsafeRawPointer, _ new: UnsafeRawPointer,
    _ extent: ChangedPart.Extent, at place: EditCollector.Place
  ) {
    let depth = place.path.count
    let before = unsafe ValueTree(followedAt: old, layout, cursor, depth: depth, room: &room)
    let after = unsafe ValueTree(followedAt: new, layout, cursor, depth: depth, room: &room)
    // A NaN is the same as another one. Without room, it cannot be told what is.
    if before == after, before != .omitted { return }
    let change = EditCollector.replacement(of: before, by: after)
    result.edits.append(ValueEdit(place.path, change))
    if let steps = place.steps { result.parts.append(ChangedPart(steps, extent)) }
  }
}

extension ValueLayout {
  /// Whether two values are the same, as far as their bytes and their `==` tell.
  fileprivate func areSame(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool {
    unsafe memcmp(old, new, size) == 0 || areEqual?(old, new) == true
  }

  /// What differs if a value is replaced as a whole; `nil` if some of its parts may be the same.
  fileprivate func extent(
    from old: UnsafeRawPointer, to new: UnsafeRawPointer
  ) -> ChangedPart.Extent? {
    switch kind {
    case .literal: .unnamed
    case .optional(let isNil, let wrapped):
      unsafe isNil(old) || isNil(new) ? .whole : wrapped.extent(from: old, to: new)
    case .choice(let cases, _): unsafe cases.tag(at: old) != cases.tag(at: new) ? .whole : nil
    case .record, .other: nil
    }
  }
}
