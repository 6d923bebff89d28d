/// A button.
@MainActor open class UIButton: UIControl {}

/// A field for a line of text.
@MainActor open class UITextField: UIControl {
  /// The text; setting it is no event.
  open var text: String?
}

/// A view for text of many lines.
@MainActor open class UITextView: UIView {
  /// The text; setting it posts nothing.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var text: String! = ""

  /// What is posted when a user has changed the text.
  public nonisolated class var textDidChangeNotification: NSNotification.Name {
    NSNotification.Name("UITextViewTextDidChangeNotification")
  }
}

/// A switch.
@MainActor open class UISwitch: UIControl {
  /// Where it stands; setting it is no event.
  open var isOn = false
}

/// A slider.
@MainActor open class UISlider: UIControl {
  private var position: Float = 0
  /// Where it begins.
  open var minimumValue: Float = 0
  /// Where it ends.
  open var maximumValue: Float = 1
  /// Where it stands, kept within its limits; setting it is no event.
  open var value: Float {
    get { position }
    set { position = min(max(newValue, minimumValue), maximumValue) }
  }
}

/// A stepper.
@MainActor open class UIStepper: UIControl {
  private var position = 0.0
  /// Where it begins.
  open var minimumValue = 0.0
  /// Where it ends.
  open var maximumValue = 100.0
  /// Where it stands, kept within its limits; setting it is no event.
  open var value: Double {
    get { position }
    set { position = min(max(newValue, minimumValue), maximumValue) }
  }
}

/// A row of segments.
@MainActor open class UISegmentedControl: UIControl {
  /// None of them.
  public nonisolated class var noSegment: Int { -1 }
  /// Which one is selected; setting it is no event.
  open var selectedSegmentIndex = noSegment
}
