#if canImport(UIKit) && !os(watchOS)
public import Signalbox
public import UIKit

extension UIControl {
  /// Dispatches an action whenever the control is used.
  ///
  ///     sendButton.dispatch(.send, to: store)
  ///
  /// - Parameters:
  ///   - action: is kept as long as the control.
  ///   - store: is not kept alive; when it is gone nothing is dispatched.
  ///   - events: when; what the control is there for, unless said otherwise.
  public func dispatch<State, Action>(
    _ action: Action, to store: Store<State, Action>,
    for events: UIControl.Event = .primaryActionTriggered
  ) {
    addAction(UIAction { [weak store] _ in store?.dispatch(action) }, for: events)
  }

  /// Calls a closure at events, until the subscription ends.
  func onEvents(
    _ events: UIControl.Event, _ body: @escaping @MainActor () -> Void
  ) -> Signalbox.Subscription {
    let action = UIAction { _ in body() }
    addAction(action, for: events)
    return Signalbox.Subscription { [weak self] in self?.removeAction(action, for: events) }
  }
}
#endif
