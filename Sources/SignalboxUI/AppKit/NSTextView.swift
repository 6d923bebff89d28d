#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import Signalbox
public import AppKit
import Foundation

extension NSTextView {
  /// Keeps the text of the view and a text in a store in step, while it is typed.
  ///
  ///     notesView.bind(to: \.notes, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - keyPath: the text in the state.
  ///   - store: is not kept alive; when it is gone the view is left alone.
  ///   - subscriptions: where the subscription is kept that ends this; the view is not kept alive.
  public func bind<State, Action>(
    to keyPath: WritableKeyPath<State, String>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    bind(to: store.binder[dynamicMember: keyPath], storeIn: &subscriptions)
  }

  /// Keeps the text of the view and a text in a store in step, while it is typed.
  ///
  /// - Parameters:
  ///   - value: the text in the state. From `store.binder`.
  ///   - subscriptions: where the subscription is kept that ends this; the view is not kept alive.
  public func bind(
    to value: StateBinding<String>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    value.tie(
      self, \.string,
      onChange: {
        NotificationCenter.default.onNotification(Self.didChangeNotification, from: self, $0)
      }
    )
    .store(in: &subscriptions)
  }
}
#endif
