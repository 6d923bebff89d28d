/// Names an element of a collection by its place and its `id`, as in `[3, id: 7]`.
enum ElementName {
  static func text(_ place: String, of element: Any?, _ cursor: RedactionCursor) -> String {
    guard let identity = element.flatMap({ identity(of: $0, cursor) }) else { return "[\(place)]" }
    return "[\(place), id: \(identity)]"
  }

  /// The `id` of an element.
  ///
  /// `nil` if it has none, or if anything in the element is redacted. A computed `id` may be made of
  /// anything in the element.
  static func identity(of element: Any, _ cursor: RedactionCursor) -> String? {
    guard !(element is KeyedValue), !cursor.isHidden, !cursor.leadsOn,
      let identity = Keys.identity(element), !RedactionSearch.isIn(element, cursor)
    else { return nil }
    var inline = InlineFormatter()
    return inline.clipped(identity.base, cursor.into(nil, identity.base), room: 60)
  }
}
