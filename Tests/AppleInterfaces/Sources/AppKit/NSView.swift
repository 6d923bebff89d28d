@_exported public import Foundation

/// What events go to.
@MainActor open class NSResponder: NSObject {
  var associations: [UnsafeRawPointer: Any] = [:]

  /// Makes it.
  public nonisolated override init() { super.init() }
}

/// A rectangle on the screen.
@MainActor open class NSView: NSResponder {
  /// Whether nothing is shown of it.
  open var isHidden = false
  /// How opaque it is, from 0 to 1.
  open var alphaValue: CGFloat = 1
}

/// A picture.
open class NSImage: NSObject {}

/// What is behind a view.
@MainActor open class NSViewController: NSResponder {
  /// Its name.
  open var title: String?

  /// Makes it.
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

  /// Makes it from an archive.
  public required init?(coder: NSCoder) { super.init() }

  /// Called when its view is there.
  open func viewDidLoad() {}
}
