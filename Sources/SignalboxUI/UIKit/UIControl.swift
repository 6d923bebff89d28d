#if canImport(UIKit) && !os(watchOS)
public import Signalbox
public import UIKit

extension UIControl {
  /// Dispatches an action whenever the control is used.
  ///
  ///     sendButton.dispatch(.send, to: store)
  ///
  /// - Parameters:
  ///   - action: the action. It is kept as long as the control.
  ///   - store: the store. It is not kept alive. Once it is released, nothing is dispatched.
  ///   - events: the events that dispatch the action. The default is the control's primary action.
  public func dispatch<State, Action>(
    _ action: Action, to store: Store<State, Action>,
    for events: UIControl.Event = .primaryActionTriggered
  ) {
    addAction(UIAction { [weak store] _ in store?.dispatch(action) }, for: events)
  }

  /// Calls a closure at each of the events, until the subscription ends.
  func onEvents(
    _ events: UIControl.Event, _ body: @escaping @MainActor () -> Void
  ) -> Signalbox.Subscription {
    let action = UIAction { _ in body() }
    addAction(action, for: events)
    return Signalbox.Subscription { [weak self] in self?.removeAction(action, for: events) }
  }
}
#endif
