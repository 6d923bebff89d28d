#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import Signalbox
public import AppKit

extension NSSwitch {
  /// Keeps the switch and a property of a store in step.
  ///
  ///     muteSwitch.bind(to: \.isMuted, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - keyPath: whether it is on, in the state.
  ///   - store: is not kept alive; when it is gone the switch is left alone.
  ///   - subscriptions: where the subscription is kept that ends this; the switch is not kept alive.
  public func bind<State, Action>(
    to keyPath: WritableKeyPath<State, Bool>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    bind(to: store.binder[dynamicMember: keyPath], storeIn: &subscriptions)
  }

  /// Keeps the switch and a property of a store in step.
  ///
  /// - Parameters:
  ///   - value: whether it is on, in the state. From `store.binder`.
  ///   - subscriptions: where the subscription is kept that ends this; the switch is not kept alive.
  public func bind(
    to value: StateBinding<Bool>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    value.tie(
      self, \.state, shown: { $0 ? .on : .off }, value: { $0 == .on },
      onChange: { ControlTarget.of(self).onAction($0) }
    )
    .store(in: &subscriptions)
  }
}

extension NSButton {
  /// Keeps a check box and a property of a store in step.
  ///
  ///     muteBox.bind(to: \.isMuted, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - keyPath: whether it is ticked, in the state.
  ///   - store: is not kept alive; when it is gone the button is left alone.
  ///   - subscriptions: where the subscription is kept that ends this; the button is not kept alive.
  public func bind<State, Action>(
    to keyPath: WritableKeyPath<State, Bool>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    bind(to: store.binder[dynamicMember: keyPath], storeIn: &subscriptions)
  }

  /// Keeps a check box and a property of a store in step.
  ///
  /// - Parameters:
  ///   - value: whether it is ticked, in the state. From `store.binder`.
  ///   - subscriptions: where the subscription is kept that ends this; the button is not kept alive.
  public func bind(
    to value: StateBinding<Bool>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    value.tie(
      self, \.state, shown: { $0 ? .on : .off }, value: { $0 == .on },
      onChange: { ControlTarget.of(self).onAction($0) }
    )
    .store(in: &subscriptions)
  }
}
#endif
