/// A button, or a check box.
@MainActor open class NSButton: NSControl {
  /// Where it stands; setting it is no event.
  open var state = NSControl.StateValue.off
}

/// A switch.
@MainActor open class NSSwitch: NSControl {
  /// Where it stands; setting it is no event.
  open var state = NSControl.StateValue.off
}

/// A field for text, or a label.
@MainActor open class NSTextField: NSControl {}

/// A slider.
@MainActor open class NSSlider: NSControl {
  /// Where it begins.
  open var minValue = 0.0
  /// Where it ends.
  open var maxValue = 1.0
  /// Where it stands, kept within its limits.
  open override var doubleValue: Double {
    didSet {
      let position = min(max(doubleValue, minValue), maxValue)
      if position != doubleValue { doubleValue = position }
    }
  }
}

/// A stepper.
@MainActor open class NSStepper: NSControl {}

/// A row of segments.
@MainActor open class NSSegmentedControl: NSControl {
  /// Which one is selected; setting it is no event.
  open var selectedSegment = -1
}

/// A view that shows a picture.
@MainActor open class NSImageView: NSControl {
  /// The picture.
  open var image: NSImage?
}

/// Text that can be edited.
@MainActor open class NSText: NSView {
  /// The text; setting it posts nothing.
  open var string = ""

  /// What is posted when a user has changed the text.
  public nonisolated class var didChangeNotification: NSNotification.Name {
    NSNotification.Name("NSTextDidChangeNotification")
  }
}

/// A view for text of many lines.
@MainActor open class NSTextView: NSText {}
