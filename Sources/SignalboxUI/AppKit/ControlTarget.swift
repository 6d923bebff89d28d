#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit
import Foundation
import Signalbox

/// What a control of AppKit sends its action to.
///
/// A control has one target, so all who want to hear of its action share this one. It stands before
/// the target that was there, which is told after them, and which it gives back in the end. The
/// control keeps it alive, by association: it does not do so with its target.
@MainActor final class ControlTarget: NSObject {
  private static let key = UnsafeRawPointer(UnsafeMutablePointer<Int>.allocate(capacity: 1))
  // In words, since `#selector` needs the Objective-C runtime, which checks on Linux do without.
  private static let name = Selector(("controlDidAct:"))

  private weak var control: NSControl?
  private weak var formerTarget: AnyObject?
  private let formerAction: Selector?
  private var handlers: [(id: Int, body: @MainActor () -> Void)] = []
  private var lastID = 0

  private init(of control: NSControl) {
    self.control = control
    formerTarget = control.target
    formerAction = control.action
    super.init()
  }

  /// The one that a control has, or gets now.
  static func of(_ control: NSControl) -> ControlTarget {
    if let target = unsafe objc_getAssociatedObject(control, key) as? ControlTarget,
      control.target === target
    {
      return target
    }
    let target = ControlTarget(of: control)
    unsafe objc_setAssociatedObject(control, key, target, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
    control.target = target
    control.action = name
    return target
  }

  /// Calls a closure whenever the control sends its action, for as long as there is a control.
  @discardableResult func onEveryAction(_ body: @escaping @MainActor () -> Void) -> Int {
    lastID += 1
    handlers.append((lastID, body))
    return lastID
  }

  /// Calls a closure whenever the control sends its action, until the subscription ends.
  func onAction(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    let id = onEveryAction(body)
    return Signalbox.Subscription { [weak self] in self?.removeHandler(id) }
  }

  private func removeHandler(_ id: Int) {
    handlers.removeAll { $0.id == id }
    guard handlers.isEmpty, let control, control.target === self else { return }
    control.target = formerTarget
    control.action = formerAction
    unsafe objc_setAssociatedObject(control, Self.key, nil, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
  }

  #if canImport(ObjectiveC)
  @objc
  #endif
  func controlDidAct(_ sender: Any?) {
    for handler in handlers where handlers.contains(where: { $0.id == handler.id }) {
      handler.body()
    }
    if let formerAction { control?.sendAction(formerAction, to: formerTarget) }
  }
}
#endif
