#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit
import Foundation
import Signalbox

/// The target of an AppKit control, which calls several handlers.
///
/// A control has a single target, which it does not retain, so this one is an associated object. It
/// forwards the action to the former target after calling the handlers, and restores that target
/// when the last handler is removed.
@MainActor final class ControlTarget: NSObject {
  private static let key = UnsafeRawPointer(UnsafeMutablePointer<Int>.allocate(capacity: 1))
  // A string, because `#selector` needs the Objective-C runtime, which CI on Linux does not have.
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

  /// Calls a closure whenever the control sends its action, until the control is released.
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
    guard let index = handlers.firstIndex(where: { $0.id == id }) else { return }
    // Released last, because an object that it captured may call this object again.
    let handler = handlers.remove(at: index)
    defer { withExtendedLifetime(handler) {} }
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
