#if canImport(UIKit) && !os(watchOS)
import Foundation
public import Signalbox
public import UIKit

extension UITextField: ValueControl {
  /// The text; none is an empty one.
  public var boundValue: String {
    get { text ?? "" }
    set { text = newValue }
  }

  /// Calls a closure whenever a user has typed.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    onEvents(.editingChanged, body)
  }
}

extension UITextView: ValueControl {
  /// The text; none is an empty one.
  public var boundValue: String {
    get { text ?? "" }
    set { text = newValue }
  }

  /// Calls a closure whenever a user has typed.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    NotificationCenter.default.onNotification(Self.textDidChangeNotification, from: self, body)
  }
}

extension UISegmentedControl: ValueControl {
  /// The index of the selected segment; -1 is none.
  public var boundValue: Int {
    get { selectedSegmentIndex }
    set { selectedSegmentIndex = newValue }
  }

  /// Calls a closure whenever a user has selected a segment.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    onEvents(.valueChanged, body)
  }
}

#if !os(tvOS)
extension UISwitch: ValueControl {
  /// Whether it is on.
  public var boundValue: Bool {
    get { isOn }
    set { isOn = newValue }
  }

  /// Calls a closure whenever a user has switched it.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    onEvents(.valueChanged, body)
  }
}

extension UISlider: ValueControl {
  /// Where it stands.
  public var boundValue: Float {
    get { value }
    set { value = newValue }
  }

  /// Calls a closure whenever a user has moved it.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    onEvents(.valueChanged, body)
  }
}

extension UIStepper: ValueControl {
  /// Where it stands.
  public var boundValue: Double {
    get { value }
    set { value = newValue }
  }

  /// Calls a closure whenever a user has stepped it.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    onEvents(.valueChanged, body)
  }
}
#endif
#endif
