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

  /// Calls a closure whenever a user has typed.
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

  /// Calls a closure whenever a user has typed.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    NotificationCenter.default.onNotification(Self.didChangeNotification, from: self, body)
  }
}

extension NSSegmentedControl: ValueControl {
  /// The index of the selected segment; -1 is none.
  public var boundValue: Int {
    get { selectedSegment }
    set { selectedSegment = newValue }
  }

  /// Calls a closure whenever a user has selected a segment.
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

  /// Calls a closure whenever a user has switched it.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    ControlTarget.of(self).onAction(body)
  }
}

extension NSButton: ValueControl {
  /// Whether it is ticked: that of a check box.
  public var boundValue: Bool {
    get { state == .on }
    set { state = newValue ? .on : .off }
  }

  /// Calls a closure whenever a user has clicked it.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    ControlTarget.of(self).onAction(body)
  }
}

extension NSSlider: ValueControl {
  /// Where it stands.
  public var boundValue: Double {
    get { doubleValue }
    set { doubleValue = newValue }
  }

  /// Calls a closure whenever a user has moved it.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    ControlTarget.of(self).onAction(body)
  }
}

extension NSStepper: ValueControl {
  /// Where it stands.
  public var boundValue: Double {
    get { doubleValue }
    set { doubleValue = newValue }
  }

  /// Calls a closure whenever a user has stepped it.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    ControlTarget.of(self).onAction(body)
  }
}
#endif
