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

extension NSSegmentedControl: ValueControl {
  /// The index of the selected segment, or -1 if none is selected.
  public var boundValue: Int {
    get { selectedSegment }
    set { selectedSegment = newValue }
  }

  /// Calls a closure whenever the user has selected a segment.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    ControlTarget.of(self).onAction(body)
  }
}

extension NSSwitch: ValueControl {
  /// Whether it is on.
  public var boundValue: Bool {
    get { state == .on }
    set { state = newValue ? .on : .off }
  }

  /// Calls a closure whenever the user has switched it.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    ControlTarget.of(self).onAction(body)
  }
}

extension NSButton: ValueControl {
  /// Whether the check box is checked.
  public var boundValue: Bool {
    get { state == .on }
    set { state = newValue ? .on : .off }
  }

  /// Calls a closure whenever the user has clicked it.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    ControlTarget.of(self).onAction(body)
  }
}

extension NSSlider: ValueControl {
  /// The current value.
  public var boundValue: Double {
    get { doubleValue }
    set { doubleValue = newValue }
  }

  /// Calls a closure whenever the user has moved it.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    ControlTarget.of(self).onAction(body)
  }
}

extension NSStepper: ValueControl {
  /// The current value.
  public var boundValue: Double {
    get { doubleValue }
    set { doubleValue = newValue }
  }

  /// Calls a closure whenever the user has stepped it.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    ControlTarget.of(self).onAction(body)
  }
}
#endif
