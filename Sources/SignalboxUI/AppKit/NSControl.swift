#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit
public import Signalbox

extension NSControl {
  /// Dispatches an action whenever the control sends its own action.
  ///
  ///     sendButton.dispatch(.send, to: store)
  ///
  /// The control's present target continues to receive its action. A target that is set later
  /// replaces this one.
  ///
  /// - Parameters:
  ///   - action: the action. It is kept as long as the control.
  ///   - store: the store. It is not kept alive. Once it is released, nothing is dispatched.
  public func dispatch<State, Action>(_ action: Action, to store: Store<State, Action>) {
    ControlTarget.of(self).onEveryAction { [weak store] in store?.dispatch(action) }
  }
}
#endif
