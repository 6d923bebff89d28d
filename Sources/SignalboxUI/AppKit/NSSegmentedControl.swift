#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import Signalbox
public import AppKit

extension NSSegmentedControl {
  /// Keeps the selected segment and a property of a store in step.
  ///
  ///     sorting.bind(to: \.sorting, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - keyPath: the index in the state; -1 is none.
  ///   - store: is not kept alive; when it is gone the control is left alone.
  ///   - subscriptions: where the subscription is kept that ends this; the control is not kept alive.
  public func bind<State, Action>(
    to keyPath: WritableKeyPath<State, Int>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    bind(to: store.binder[dynamicMember: keyPath], storeIn: &subscriptions)
  }

  /// Keeps the selected segment and a property of a store in step.
  ///
  /// - Parameters:
  ///   - value: the index in the state; -1 is none. From `store.binder`.
  ///   - subscriptions: where the subscription is kept that ends this; the control is not kept alive.
  public func bind(
    to value: StateBinding<Int>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    value.tie(self, \.selectedSegment, onChange: { ControlTarget.of(self).onAction($0) })
      .store(in: &subscriptions)
  }
}
#endif
