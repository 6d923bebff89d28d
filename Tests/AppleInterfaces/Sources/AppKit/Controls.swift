/// A button or a checkbox.
@MainActor open class NSButton: NSControl {
  /// The state, which sends no action when it is set.
  open var state = NSControl.StateValue.off
}

/// A switch.
@MainActor open class NSSwitch: NSControl {
  /// The state, which sends no action when it is set.
  open var state = NSControl.StateValue.off
}

/// A text field or a label.
@MainActor open class NSTextField: NSControl {}

/// A slider.
@MainActor open class NSSlider: NSControl {
  /// The smallest value.
  open var minValue = 0.0
  /// The largest value.
  open var maxValue = 1.0
  /// The value, clamped to the limits.
  open override var doubleValue: Double {
    didSet {
      let position = min(max(doubleValue, minValue), maxValue)
      if position != doubleValue { doubleValue = position }
    }
  }
}

/// A stepper.
@MainActor open class NSStepper: NSControl {}

/// A segmented control.
@MainActor open class NSSegmentedControl: NSControl {
  /// The selected segment, which sends no action when it is set.
  open var selectedSegment = -1
}

/// A view that shows an image.
@MainActor open class NSImageView: NSControl {
  /// The image.
  open var image: NSImage?
}

/// An editable text.
@MainActor open class NSText: NSView {
  /// The text, which posts no notification when it is set.
  open var string = ""

  /// The notification that a user has changed the text.
  public nonisolated class var didChangeNotification: NSNotification.Name {
    NSNotification.Name("NSTextDidChangeNotification")
  }
}

/// A view for text with several lines.
@MainActor open class NSTextView: NSText {}
