// The actions of a user, which do not exist in UIKit.

extension UITextField {
  /// Replaces the text as if a user had typed.
  public func userTypes(_ text: String) {
    self.text = text
    sendActions(for: .editingChanged)
  }
}

extension UITextView {
  /// Replaces the text as if a user had typed.
  public func userTypes(_ text: String) {
    self.text = text
    NotificationCenter.default.post(name: Self.textDidChangeNotification, object: self)
  }
}

extension UIControl {
  /// Changes the control as if a user had used it.
  public func userChanges(_ change: () -> Void) {
    change()
    sendActions(for: [.valueChanged, .primaryActionTriggered])
  }

  /// Taps the control.
  public func userTaps() { sendActions(for: [.touchUpInside, .primaryActionTriggered]) }
}
