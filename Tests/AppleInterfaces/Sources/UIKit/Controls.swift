/// A button.
@MainActor open class UIButton: UIControl {}

/// A text field with one line.
@MainActor open class UITextField: UIControl {
  /// The text, which sends no event when it is set.
  open var text: String?
}

/// A view for text with several lines.
@MainActor open class UITextView: UIView {
  /// The text, which posts no notification when it is set.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var text: String! = ""

  /// The notification that a user has changed the text.
  public nonisolated class var textDidChangeNotification: NSNotification.Name {
    NSNotification.Name("UITextViewTextDidChangeNotification")
  }
}

/// A switch.
@MainActor open class UISwitch: UIControl {
  /// The state, which sends no event when it is set.
  open var isOn = false
}

/// A slider.
@MainActor open class UISlider: UIControl {
  private var position: Float = 0
  /// The smallest value.
  open var minimumValue: Float = 0
  /// The largest value.
  open var maximumValue: Float = 1
  /// The value, clamped to the limits, which sends no event when it is set.
  open var value: Float {
    get { position }
    set { position = min(max(newValue, minimumValue), maximumValue) }
  }
}

/// A stepper.
@MainActor open class UIStepper: UIControl {
  private var position = 0.0
  /// The smallest value.
  open var minimumValue = 0.0
  /// The largest value.
  open var maximumValue = 100.0
  /// The value, clamped to the limits, which sends no event when it is set.
  open var value: Double {
    get { position }
    set { position = min(max(newValue, minimumValue), maximumValue) }
  }
}

/// A segmented control.
@MainActor open class UISegmentedControl: UIControl {
  /// The index that means no segment.
  public nonisolated class var noSegment: Int { -1 }
  /// The selected segment, which sends no event when it is set.
  open var selectedSegmentIndex = noSegment
}
