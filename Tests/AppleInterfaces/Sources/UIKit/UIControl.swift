/// An action that a control performs.
@MainActor open class UIAction: NSObject {
  let handler: UIActionHandler
  /// The object that performs it, while it is performed.
  public internal(set) var sender: Any?
  /// The name by which an action replaces another.
  public let identifier: Identifier

  /// Makes it; without an identifier it has one of its own.
  public init(
    title: String = "", image: UIImage? = nil, identifier: Identifier? = nil,
    handler: @escaping UIActionHandler
  ) {
    self.handler = handler
    self.identifier = identifier ?? Identifier(UUID().uuidString)
    super.init()
  }

  /// The name of an action.
  public struct Identifier: Hashable, Sendable {
    private let name: String
    /// Makes it.
    public init(_ rawValue: String) { name = rawValue }
  }
}

/// What an action does.
public typealias UIActionHandler = (UIAction) -> Void

/// A view that reports what a user does with it.
@MainActor open class UIControl: UIView {
  /// What a user can do.
  public struct Event: OptionSet, Sendable {
    /// Its bits.
    public let rawValue: UInt
    /// Makes it.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// It was touched and let go.
    public static let touchUpInside = Event(rawValue: 1 << 6)
    /// It has another value.
    public static let valueChanged = Event(rawValue: 1 << 12)
    /// It was used for what it is there for.
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)
    /// Its text has changed.
    public static let editingChanged = Event(rawValue: 1 << 17)
  }

  private var actions: [(action: UIAction, events: Event)] = []

  /// Whether it can be used.
  open var isEnabled = true

  /// Performs an action at events, in place of one with the same identifier.
  open func addAction(_ action: UIAction, for controlEvents: Event) {
    removeActions(identifiedBy: action.identifier, for: controlEvents)
    actions.append((action, controlEvents))
  }

  /// No longer performs an action at events.
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
