/// A view that reports what a user does with it, to one target.
@MainActor open class NSControl: NSView {
  /// Who is told; not kept alive.
  open weak var target: AnyObject?
  /// What the target is told.
  open var action: Selector?
  /// Whether it can be used.
  open var isEnabled = true
  /// Its value, as a text; setting it is no event.
  open var stringValue = ""
  /// Its value, as a number; setting it is no event.
  open var doubleValue = 0.0

  /// Tells a target; without one, the responder chain.
  @discardableResult
  open func sendAction(_ action: Selector?, to target: Any?) -> Bool {
    let receiver = target.map { $0 as AnyObject } ?? NSApplication.shared.receiver
    guard let action, let receiver = receiver as? any ActionReceiver else { return false }
    receiver.receive(action, from: self)
    return true
  }

  /// What is posted when a user has changed the text.
  public nonisolated class var textDidChangeNotification: NSNotification.Name {
    NSNotification.Name("NSControlTextDidChangeNotification")
  }

  /// Where something stands that is on or off.
  public struct StateValue: RawRepresentable, Hashable, Sendable {
    /// Its number.
    public let rawValue: Int
    /// Makes it.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Partly.
    public static let mixed = StateValue(rawValue: -1)
    /// Off.
    public static let off = StateValue(rawValue: 0)
    /// On.
    public static let on = StateValue(rawValue: 1)
  }
}

/// The program.
@MainActor public final class NSApplication {
  /// The one that there is.
  public static let shared = NSApplication()

  /// Not AppKit's: who in the responder chain takes what has no target.
  public weak var receiver: AnyObject?
}
