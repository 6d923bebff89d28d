@_exported public import Foundation

/// An object that receives events.
@MainActor open class NSResponder: NSObject {
  var associations: [UnsafeRawPointer: Any] = [:]

  /// Creates a responder.
  public nonisolated override init() { super.init() }
}

/// A rectangle on the screen.
@MainActor open class NSView: NSResponder {
  /// Whether the view is hidden.
  open var isHidden = false
  /// The opacity, from 0 to 1.
  open var alphaValue: CGFloat = 1
}

/// An image.
open class NSImage: NSObject {}

/// The controller of a view.
@MainActor open class NSViewController: NSResponder {
  /// The title.
  open var title: String?

  /// Creates a controller.
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

  /// Creates a controller from an archive.
  public required init?(coder: NSCoder) { super.init() }

  /// Called when the view was loaded.
  open func viewDidLoad() {}
}
