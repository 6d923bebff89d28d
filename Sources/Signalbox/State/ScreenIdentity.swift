/// What tells a screen of a path from another at its index: its case and its payload's `id` (N2).
///
/// The enum may be in an optional.
// A user interface needs it also for screens without a feature.
package struct ScreenIdentity: Hashable {
  private let tag: UInt32?
  private let id: AnyHashable?

  package init<Screen>(of screen: Screen) {
    let optional = Screen.self as? any AnyOptional.Type
    guard !isNil(screen),
      let layout = EnumLayout.of(optional?.wrappedType ?? Screen.self)
    else {
      (tag, id) = (nil, nil)
      return
    }
    let tag = unsafe withUnsafePointer(to: screen) { unsafe layout.tag(at: UnsafeRawPointer($0)) }
    // A single associated value with a label is a tuple of one element.
    let types = layout.payload(of: tag).map { StoredTypes.elements(of: $0) } ?? []
    let type = types.count == 1 ? types[0].type as? any Identifiable.Type : nil
    (self.tag, id) = (tag, type.map { Self.id(of: screen, layout, tag, $0) })
  }

  private static func id<Screen, Payload: Identifiable>(
    of screen: Screen, _ layout: EnumLayout, _ tag: UInt32, _ type: Payload.Type
  ) -> AnyHashable {
    unsafe withUnsafePointer(to: screen) {
      unsafe AnyHashable(layout.payload(at: $0, tag: tag, as: type).id)
    }
  }
}
