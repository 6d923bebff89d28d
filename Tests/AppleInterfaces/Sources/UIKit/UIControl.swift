/// An action that a control performs.
@MainActor open class UIAction: NSObject {
  let handler: UIActionHandler
  /// The control that performs the action, while it does.
  public internal(set) var sender: Any?
  /// The identifier, which lets an action replace another one.
  public let identifier: Identifier

  /// Creates an action, with a unique identifier by default.
  public init(
    title: String = "", image: UIImage? = nil, identifier: Identifier? = nil,
    handler: @escaping UIActionHandler
  ) {
    self.handler = handler
    self.identifier = identifier ?? Identifier(UUID().uuidString)
    super.init()
  }

  /// The identifier of an action.
  public struct Identifier: Hashable, Sendable {
    private let name: String
    /// Creates an identifier from a name.
    public init(_ rawValue: String) { name = rawValue }
  }
}

/// The closure of an action.
public typealias UIActionHandler = (UIAction) -> Void

/// A view that performs actions when a user changes it.
@MainActor open class UIControl: UIView {
  /// The kinds of user input.
  public struct Event: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt
    /// Creates a set of events from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// A touch that ended inside the control.
    public static let touchUpInside = Event(rawValue: 1 << 6)
    /// A change of the value.
    public static let valueChanged = Event(rawValue: 1 << 12)
    /// The main event of the control.
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)
    /// A change of the text.
    public static let editingChanged = Event(rawValue: 1 << 17)
  }

  private var actions: [(action: UIAction, events: Event)] = []

  /// Whether the control is enabled.
  open var isEnabled = true

  /// Adds an action for events, and replaces one with the same identifier.
  open func addAction(_ action: UIAction, for controlEvents: Event) {
    removeActions(identifiedBy: action.identifier, for: controlEvents)
    actions.append((action, controlEvents))
  }

  /// Removes an action for events.
  open func removeAction(_ action: UIAction, for controlEvents: Event) {
    removeActions(identifiedBy: action.identifier, for: controlEvents)
  }

  /// Performs the actions of events.
  open func sendActions(for controlEvents: Event) {
    for entry in actions where !entry.events.isDisjoint(with: controlEvents) {
      entry.action.sender = self
      entry.action.handler(entry.action)
      entry.action.sender = nil
    }
  }

  private func removeActions(identifiedBy name: UIAction.Identifier, for controlEvents: Event) {
    for index in actions.indices where actions[index].action.identifier == name {
      actions[index].events.subtract(controlEvents)
    }
    actions.removeAll { $0.events.isEmpty }
  }
}
