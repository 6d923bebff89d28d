// Not AppKit's: what a user does.

extension NSTextField {
  /// Types, so that the field has another text.
  public func userTypes(_ text: String) {
    stringValue = text
    NotificationCenter.default.post(name: Self.textDidChangeNotification, object: self)
  }
}

extension NSTextView {
  /// Types, so that the view has another text.
  public func userTypes(_ text: String) {
    string = text
    NotificationCenter.default.post(name: Self.didChangeNotification, object: self)
  }
}

extension NSControl {
  /// Uses a control, which leaves it in another state.
  public func userChanges(_ change: () -> Void) {
    change()
    sendAction(action, to: target)
  }

  /// Clicks a control.
  public func userClicks() { sendAction(action, to: target) }
}
