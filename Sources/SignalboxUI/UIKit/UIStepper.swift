#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
public import Signalbox
public import UIKit

extension UIStepper {
  /// Keeps the stepper and a number in a store in step.
  ///
  ///     price.bind(to: \.price, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - keyPath: the number in the state.
  ///   - store: is not kept alive; when it is gone the stepper is left alone.
  ///   - subscriptions: where the subscription is kept that ends this; the stepper is not kept alive.
  public func bind<State, Action, Value: BinaryFloatingPoint>(
    to keyPath: WritableKeyPath<State, Value>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    bind(to: store.binder[dynamicMember: keyPath], storeIn: &subscriptions)
  }

  /// Keeps the stepper and a number in a store in step.
  ///
  /// - Parameters:
  ///   - value: the number in the state. From `store.binder`.
  ///   - subscriptions: where the subscription is kept that ends this; the stepper is not kept alive.
  public func bind<Value: BinaryFloatingPoint>(
    to value: StateBinding<Value>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    value.tie(
      self, \.value, shown: { Double($0) }, value: { Value($0) },
      onChange: { onEvents(.valueChanged, $0) }
    )
    .store(in: &subscriptions)
  }
}

extension UIStepper {
  /// Keeps the stepper and a whole number in a store in step.
  ///
  ///     guests.bind(to: \.guests, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - keyPath: the number in the state.
  ///   - store: is not kept alive; when it is gone the stepper is left alone.
  ///   - subscriptions: where the subscription is kept that ends this; the stepper is not kept alive.
  public func bind<State, Action, Value: FixedWidthInteger>(
    to keyPath: WritableKeyPath<State, Value>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    bind(to: store.binder[dynamicMember: keyPath], storeIn: &subscriptions)
  }

  /// Keeps the stepper and a whole number in a store in step.
  ///
  /// - Parameters:
  ///   - value: the number in the state. From `store.binder`.
  ///   - subscriptions: where the subscription is kept that ends this; the stepper is not kept alive.
  public func bind<Value: FixedWidthInteger>(
    to value: StateBinding<Value>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    value.tie(
      self, \.value, shown: { Double($0) }, value: { Value(clamping: Int($0.rounded())) },
      onChange: { onEvents(.valueChanged, $0) }
    )
    .store(in: &subscriptions)
  }
}
#endif
