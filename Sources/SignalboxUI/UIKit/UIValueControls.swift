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

extension ValueControl where Self: UIControl {
  /// Calls a closure whenever the control sends `.valueChanged`.
  public func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription {
    onEvents(.valueChanged, body)
  }
}

extension UISegmentedControl: ValueControl {
  /// The index of the selected segment, or -1 if none is selected.
  public var boundValue: Int {
    get { selectedSegmentIndex }
    set { selectedSegmentIndex = newValue }
  }
}

#if !os(tvOS)
extension UISwitch: ValueControl {
  /// Whether it is on.
  public var boundValue: Bool {
    get { isOn }
    set { isOn = newValue }
  }
}

extension UISlider: ValueControl {
  /// The current value.
  public var boundValue: Float {
    get { value }
    set { value = newValue }
  }
}

extension UIStepper: ValueControl {
  /// The current value.
  public var boundValue: Double {
    get { value }
    set { value = newValue }
  }
}
#endif
#endif
