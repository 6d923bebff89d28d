#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
import Foundation
import Signalbox

extension StateBinding {
  /// Keeps a control and a value of a store in step, until the subscription ends or the store is
  /// gone.
  ///
  /// The state decides: after each event the control shows what the store has made of it. The
  /// control is set to what it does not show already, and to nothing else; so a field that is typed
  /// in keeps its cursor, and a control that reports what it was set to closes no loop.
  ///
  /// - Parameters:
  ///   - property: what the control shows; the control is not kept alive.
  ///   - shown: a value, as the control shows it.
  ///   - value: what the control shows, as a value.
  ///   - onChange: has a closure called whenever a user has changed what the control shows.
  func tie<Control: AnyObject, Shown: Equatable>(
    _ control: Control, _ property: ReferenceWritableKeyPath<Control, Shown>,
    shown: @escaping @MainActor (Value) -> Shown, value: @escaping @MainActor (Shown) -> Value,
    onChange: (_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription
  ) -> Signalbox.Subscription {
    let show: @MainActor (Value) -> Void = { [weak control] value in
      let shown = shown(value)
      guard let control, control[keyPath: property] != shown else { return }
      control[keyPath: property] = shown
    }
    let events = onChange { [weak control] in
      guard let control else { return }
      wrappedValue = value(control[keyPath: property])
      show(wrappedValue)
    }
    let values = includingCurrent().sink(
      receiveCompletion: { events.cancel() }, receiveValue: show)
    return .all(values, events)
  }

  /// The same for a control that shows the value as it is.
  func tie<Control: AnyObject>(
    _ control: Control, _ property: ReferenceWritableKeyPath<Control, Value>,
    onChange: (_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription
  ) -> Signalbox.Subscription where Value: Equatable {
    tie(control, property, shown: { $0 }, value: { $0 }, onChange: onChange)
  }
}

extension NotificationCenter {
  /// Calls a closure whenever an object posts a notification, which is on the main actor.
  @MainActor func onNotification(
    _ name: Notification.Name, from object: AnyObject, _ body: @escaping @MainActor () -> Void
  ) -> Signalbox.Subscription {
    let observer = addObserver(forName: name, object: object, queue: nil) { _ in
      MainActor.assumeIsolated { body() }
    }
    return Signalbox.Subscription { [weak self] in self?.removeObserver(observer) }
  }
}
#endif
