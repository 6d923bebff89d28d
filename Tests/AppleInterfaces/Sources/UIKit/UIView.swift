@_exported public import Foundation

/// An object that receives events.
@MainActor open class UIResponder: NSObject {
  /// Creates a responder.
  public nonisolated override init() { super.init() }
}

/// A rectangle on the screen.
@MainActor open class UIView: UIResponder {
  /// Whether the view is hidden.
  open var isHidden = false
  /// The opacity, from 0 to 1.
  open var alpha: CGFloat = 1
}

/// A text that cannot be edited.
@MainActor open class UILabel: UIView {
  /// The text.
  open var text: String?
  /// Whether the label looks enabled.
  open var isEnabled = true
}

/// An image.
@MainActor open class UIImage: NSObject {}

/// A view that shows an image.
@MainActor open class UIImageView: UIView {
  /// The image.
  open var image: UIImage?
}

/// The controller of a screen.
@MainActor open class UIViewController: UIResponder {
  /// The title.
  open var title: String?

  /// Creates a controller.
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

  /// Creates a controller from an archive.
  public required init?(coder: NSCoder) { super.init() }

  /// Called when the view was loaded.
  open func viewDidLoad() {}
}
