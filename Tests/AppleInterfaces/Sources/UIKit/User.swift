// Not UIKit's: what a user does.

extension UITextField {
  /// Types, so that the field has another text.
  public func userTypes(_ text: String) {
    self.text = text
    sendActions(for: .editingChanged)
  }
}

extension UITextView {
  /// Types, so that the view has another text.
  public func userTypes(_ text: String) {
    self.text = text
    NotificationCenter.default.post(name: Self.textDidChangeNotification, object: self)
  }
}

extension UIControl {
  /// Uses a control, which leaves it in another state.
  public func userChanges(_ change: () -> Void) {
    change()
    sendActions(for: [.valueChanged, .primaryActionTriggered])
  }

  /// Taps a control.
  public func userTaps() { sendActions(for: [.touchUpInside, .primaryActionTriggered]) }
}
