/// Names an element of a collection by its place and its `id`, as in `[3, id: 7]`.
package enum ElementName {
  package static func text(_ place: String, of element: Any?, _ cursor: RedactionCursor) -> String {
    guard let identity = element.flatMap({ identity(of: $0, cursor) }) else { return "[\(place)]" }
    return "[\(place), id: \(identity)]"
  }

  package static func id(of element: Any) -> AnyHashable? {
    func open<I: Identifiable>(_ element: I) -> AnyHashable? {
      // The identity of an object is no identity of the thing that it represents.
      I.ID.self == ObjectIdentifier.self ? nil : AnyHashable(element.id)
    }
    if let entry = element as? KeyedValue {
      return (entry.key as? any Hashable).map { AnyHashable($0) }
    }
    return (element as? any Identifiable).flatMap { open($0) }
  }

  /// The text of an `id`; `nil` if there is none, or if it may be made of something redacted.
  package static func identity(of element: Any, _ cursor: RedactionCursor) -> String? {
    guard !(element is KeyedValue), let identity = ElementName.id(of: element),
      isShown(identity, of: element, cursor)
    else { return nil }
    return InlineFormatter.line(of: identity.base, cursor.into(nil, identity.base), room: 60)
  }

  /// Whether nothing redacted is in the `id`, which may be computed from the whole element.
  static func isShown(
    _ identity: AnyHashable, of element: Any, _ cursor: RedactionCursor
  ) -> Bool {
    if cursor.isHidden { return false }
    if isStored(identity, in: element, cursor) { return true }
    return !cursor.leadsOn && !RedactionSearch.isIn(element, cursor)
  }

  /// Whether the `id` is a stored property, which each text of the element shows.
  private static func isStored(
    _ identity: AnyHashable, in element: Any, _ cursor: RedactionCursor
  ) -> Bool {
    guard let core = OptionalUnwrapping.core(of: element), !(core is any CustomReflectable),
      let stored = Mirror(reflecting: core).descendant("id"), let id = stored as? any Hashable,
      AnyHashable(id) == identity
    else { return false }
    let inner = cursor.into("id", stored)
    return !inner.isHidden && !inner.leadsOn && !RedactionSearch.isIn(stored, inner)
  }
}
