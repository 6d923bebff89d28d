#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit
public import Signalbox

extension NSControl {
  /// Dispatches an action whenever the control sends its own.
  ///
  ///     sendButton.dispatch(.send, to: store)
  ///
  /// A target that the control has already is told as before. One that it is given later replaces
  /// this.
  ///
  /// - Parameters:
  ///   - action: is kept as long as the control.
  ///   - store: is not kept alive; when it is gone nothing is dispatched.
  public func dispatch<State, Action>(_ action: Action, to store: Store<State, Action>) {
    ControlTarget.of(self).onEveryAction { [weak store] in store?.dispatch(action) }
  }
}
#endif
