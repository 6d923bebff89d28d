@_exported public import Foundation

/// What events go to.
@MainActor open class UIResponder: NSObject {
  /// Makes it.
  public nonisolated override init() { super.init() }
}

/// A rectangle on the screen.
@MainActor open class UIView: UIResponder {
  /// Whether nothing is shown of it.
  open var isHidden = false
  /// How opaque it is, from 0 to 1.
  open var alpha: CGFloat = 1
}

/// A text that cannot be edited.
@MainActor open class UILabel: UIView {
  /// The text.
  open var text: String?
  /// Whether it is shown as enabled.
  open var isEnabled = true
}

/// A picture.
@MainActor open class UIImage: NSObject {}

/// A view that shows a picture.
@MainActor open class UIImageView: UIView {
  /// The picture.
  open var image: UIImage?
}

/// What is behind a screen.
@MainActor open class UIViewController: UIResponder {
  /// Its name.
  open var title: String?

  /// Makes it.
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

  /// Makes it from an archive.
  public required init?(coder: NSCoder) { super.init() }

  /// Called when its view is there.
  open func viewDidLoad() {}
}
