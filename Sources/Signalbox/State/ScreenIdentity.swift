/// What tells a screen of a path from another one at the same index: its case and the `id` of its
/// payload (N2).
///
/// For a user interface, which has to know it also for screens without a feature.
package struct ScreenIdentity: Hashable {
  private let tag: UInt32?
  private let id: AnyHashable?

  package init<Screen>(of screen: Screen) {
    tag = unsafe withUnsafePointer(to: screen) { screen in
      unsafe EnumLayout.of(Screen.self)?.tag(at: UnsafeRawPointer(screen))
    }
    let payload = Mirror(reflecting: screen).children.first?.value
    id = (payload as? any Identifiable).map { Self.id(of: $0) }
  }

  private static func id(of payload: some Identifiable) -> AnyHashable { AnyHashable(payload.id) }
}
