// The actions of a user, which do not exist in AppKit.

extension NSTextField {
  /// Replaces the text as if a user had typed.
  public func userTypes(_ text: String) {
    stringValue = text
    NotificationCenter.default.post(name: Self.textDidChangeNotification, object: self)
  }
}

extension NSTextView {
  /// Replaces the text as if a user had typed.
  public func userTypes(_ text: String) {
    string = text
    NotificationCenter.default.post(name: Self.didChangeNotification, object: self)
  }
}

extension NSControl {
  /// Changes the control as if a user had used it.
  public func userChanges(_ change: () -> Void) {
    change()
    sendAction(action, to: target)
  }

  /// Clicks the control.
  public func userClicks() { sendAction(action, to: target) }
}
