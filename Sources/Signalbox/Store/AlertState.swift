/// An alert as a value in a state (N4).
///
///     var alert: AlertState<NoteAction>?
///
///     store.alert = AlertState("Delete the note?", message: "It cannot be taken back.", buttons: [
///       .init("Delete", role: .destructive, action: .delete), .init("Cancel", role: .cancel),
///     ])
///
/// A user interface shows it while it is there, sends the action of the button that the user chooses,
/// and makes the property `nil`.
public struct AlertState<Action> {
  /// What is asked or said.
  public var title: String
  /// More about it, below the title.
  public var message: String?
  /// What the user may choose.
  ///
  /// Without buttons, a user interface adds one that dismisses the alert.
  public var buttons: [DialogButton<Action>]

  /// Makes an alert.
  public init(_ title: String, message: String? = nil, buttons: [DialogButton<Action>] = []) {
    (self.title, self.message, self.buttons) = (title, message, buttons)
  }
}

/// Choices for something that the user has begun, as a value in a state (N4).
///
/// It is like an alert, and appears near what the user has touched.
public struct ConfirmationState<Action> {
  /// What is asked.
  public var title: String
  /// More about it, below the title.
  public var message: String?
  /// What the user may choose.
  ///
  /// Without a button that cancels, a user interface adds one.
  public var buttons: [DialogButton<Action>]

  /// Makes a confirmation.
  public init(_ title: String, message: String? = nil, buttons: [DialogButton<Action>]) {
    (self.title, self.message, self.buttons) = (title, message, buttons)
  }
}

/// What a user interface shows of an alert and of a confirmation.
package protocol DialogState {
  associatedtype Action
  var title: String { get }
  var message: String? { get }
  var buttons: [DialogButton<Action>] { get }
}

extension AlertState: DialogState {}
extension ConfirmationState: DialogState {}

/// A button of an alert or a confirmation.
public struct DialogButton<Action> {
  /// How a button differs from others.
  public enum Role: String, Hashable, Sendable, Codable {
    /// It changes nothing.
    case cancel
    /// It destroys something.
    case destructive
  }

  /// The title of the button.
  public var title: String
  /// How it differs from other buttons; `nil` if it does not.
  public var role: Role?
  /// The action to send; `nil` for a button that only dismisses.
  public var action: Action?

  /// Makes a button.
  public init(_ title: String, role: Role? = nil, action: Action? = nil) {
    (self.title, self.role, self.action) = (title, role, action)
  }
}

extension AlertState: Equatable where Action: Equatable {}
extension AlertState: Hashable where Action: Hashable {}
extension AlertState: Sendable where Action: Sendable {}
extension AlertState: Codable where Action: Codable {}
extension ConfirmationState: Equatable where Action: Equatable {}
extension ConfirmationState: Hashable where Action: Hashable {}
extension ConfirmationState: Sendable where Action: Sendable {}
extension ConfirmationState: Codable where Action: Codable {}
extension DialogButton: Equatable where Action: Equatable {}
extension DialogButton: Hashable where Action: Hashable {}
extension DialogButton: Sendable where Action: Sendable {}
extension DialogButton: Codable where Action: Codable {}
