#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import Signalbox
public import AppKit

extension NSSlider {
  /// Keeps the slider and a number in a store in step.
  ///
  ///     volume.bind(to: \.volume, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - keyPath: the number in the state.
  ///   - store: is not kept alive; when it is gone the slider is left alone.
  ///   - subscriptions: where the subscription is kept that ends this; the slider is not kept alive.
  public func bind<State, Action, Value: BinaryFloatingPoint>(
    to keyPath: WritableKeyPath<State, Value>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    bind(to: store.binder[dynamicMember: keyPath], storeIn: &subscriptions)
  }

  /// Keeps the slider and a number in a store in step.
  ///
  /// - Parameters:
  ///   - value: the number in the state. From `store.binder`.
  ///   - subscriptions: where the subscription is kept that ends this; the slider is not kept alive.
  public func bind<Value: BinaryFloatingPoint>(
    to value: StateBinding<Value>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    value.tie(
      self, \.doubleValue, shown: { Double($0) }, value: { Value($0) },
      onChange: { ControlTarget.of(self).onAction($0) }
    )
    .store(in: &subscriptions)
  }
}
#endif
