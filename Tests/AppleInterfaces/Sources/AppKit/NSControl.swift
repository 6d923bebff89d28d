/// A view that sends its action to one target when a user changes it.
@MainActor open class NSControl: NSView {
  /// The target, which is held weakly.
  open weak var target: AnyObject?
  /// The action that the target receives.
  open var action: Selector?
  /// Whether the control is enabled.
  open var isEnabled = true
  /// The value as a text, which sends no action when it is set.
  open var stringValue = ""
  /// The value as a number, which sends no action when it is set.
  open var doubleValue = 0.0

  /// Sends an action to a target or, without one, to the responder chain.
  @discardableResult
  open func sendAction(_ action: Selector?, to target: Any?) -> Bool {
    let receiver = target.map { $0 as AnyObject } ?? NSApplication.shared.receiver
    guard let action, let receiver = receiver as? any ActionReceiver else { return false }
    receiver.receive(action, from: self)
    return true
  }

  /// The notification that a user has changed the text.
  public nonisolated class var textDidChangeNotification: NSNotification.Name {
    NSNotification.Name("NSControlTextDidChangeNotification")
  }

  /// The state of a control that is on or off.
  public struct StateValue: RawRepresentable, Hashable, Sendable {
    /// The number of the state.
    public let rawValue: Int
    /// Creates a state with a number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Partly on.
    public static let mixed = StateValue(rawValue: -1)
    /// Off.
    public static let off = StateValue(rawValue: 0)
    /// On.
    public static let on = StateValue(rawValue: 1)
  }
}

/// The application.
@MainActor public final class NSApplication {
  /// The only instance.
  public static let shared = NSApplication()

  /// The receiver of actions without a target, which does not exist in AppKit.
  public weak var receiver: AnyObject?
}
