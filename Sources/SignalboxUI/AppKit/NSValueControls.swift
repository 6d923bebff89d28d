#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit
import Foundation
public import Signalbox

extension NSTextField: ValueControl {
  /// The text.
  public var boundValue: String {
    get { stringValue }
    set { stringValue = newValue }
  }

  /// Calls a closure whenever the user has typed.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    NotificationCenter.default.onNotification(Self.textDidChangeNotification, from: self, body)
  }
}

extension NSTextView: ValueControl {
  /// The text.
  public var boundValue: String {
    get { string }
    set { string = newValue }
  }

  /// Calls a closure whenever the user has typed.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    NotificationCenter.default.onNotification(Self.didChangeNotification, from: self, body)
  }
}

extension ValueControl where Self: NSControl {
  /// Calls a closure whenever the control sends its action.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    ControlTarget.of(self).onAction(body)
  }
}

extension NSSegmentedControl: ValueControl {
  /// The index of the selected segment, or -1 if none is selected.
  public var boundValue: Int {
    get { selectedSegment }
    set { selectedSegment = newValue }
  }
}

extension NSSwitch: ValueControl {
  /// Whether it is on.
  public var boundValue: Bool {
    get { state == .on }
    set { state = newValue ? .on : .off }
  }
}

extension NSButton: ValueControl {
  /// Whether the check box is checked.
  public var boundValue: Bool {
    get { state == .on }
    set { state = newValue ? .on : .off }
  }
}

extension NSSlider: ValueControl {
  /// The current value.
  public var boundValue: Double {
    get { doubleValue }
    set { doubleValue = newValue }
  }
}

extension NSStepper: ValueControl {
  /// The current value.
  public var boundValue: Double {
    get { doubleValue }
    set { doubleValue = newValue }
  }
}
#endif
