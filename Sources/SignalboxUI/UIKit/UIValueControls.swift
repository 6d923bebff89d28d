#if canImport(UIKit) && !os(watchOS)
import Foundation
public import Signalbox
public import UIKit

extension UITextField: ValueControl {
  /// The text.
  ///
  /// It is empty if `text` is `nil`.
  public var boundValue: String {
    get { text ?? "" }
    set { text = newValue }
  }

  /// Calls a closure whenever the user has typed.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    onEvents(.editingChanged, body)
  }
}

extension UITextView: ValueControl {
  /// The text.
  ///
  /// It is empty if `text` is `nil`.
  public var boundValue: String {
    get { text ?? "" }
    set { text = newValue }
  }

  /// Calls a closure whenever the user has typed.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    NotificationCenter.default.onNotification(Self.textDidChangeNotification, from: self, body)
  }
}

extension UISegmentedControl: ValueControl {
  /// The index of the selected segment, or -1 if none is selected.
  public var boundValue: Int {
    get { selectedSegmentIndex }
    set { selectedSegmentIndex = newValue }
  }

  /// Calls a closure whenever the user has selected a segment.
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

  /// Calls a closure whenever the user has switched it.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    onEvents(.valueChanged, body)
  }
}

extension UISlider: ValueControl {
  /// The current value.
  public var boundValue: Float {
    get { value }
    set { value = newValue }
  }

  /// Calls a closure whenever the user has moved it.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    onEvents(.valueChanged, body)
  }
}

extension UIStepper: ValueControl {
  /// The current value.
  public var boundValue: Double {
    get { value }
    set { value = newValue }
  }

  /// Calls a closure whenever the user has stepped it.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    onEvents(.valueChanged, body)
  }
}
#endif
#endif
