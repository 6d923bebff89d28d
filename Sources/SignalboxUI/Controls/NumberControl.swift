#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
public import Signalbox

extension ValueControl where BoundValue: BinaryFloatingPoint {
  /// Keeps the control and a number in a store in step, whatever the type of the number.
  ///
  ///     volumeSlider.bind(to: \.volume, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - keyPath: the number in the state.
  ///   - store: is not kept alive; when it is gone the control is left alone.
  ///   - subscriptions: where the subscription is kept that ends this; the control is not kept alive.
  public func bind<State, Action, Number: BinaryFloatingPoint>(
    to keyPath: WritableKeyPath<State, Number>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    bind(to: store.binder[dynamicMember: keyPath], storeIn: &subscriptions)
  }

  /// Keeps the control and a number in a store in step, whatever the type of the number.
  ///
  /// - Parameters:
  ///   - number: a binding of `store.binder`; it does not keep the store alive.
  ///   - subscriptions: where the subscription is kept that ends this; the control is not kept alive.
  public func bind<Number: BinaryFloatingPoint>(
    to number: StateBinding<Number>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    tie(to: number, shown: { BoundValue($0) }, meant: { Number($0) }).store(in: &subscriptions)
  }

  /// Keeps the control and a whole number in a store in step: the one nearest to what is shown.
  ///
  ///     guestsStepper.bind(to: \.guests, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - keyPath: the number in the state.
  ///   - store: is not kept alive; when it is gone the control is left alone.
  ///   - subscriptions: where the subscription is kept that ends this; the control is not kept alive.
  public func bind<State, Action, Number: FixedWidthInteger>(
    to keyPath: WritableKeyPath<State, Number>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    bind(to: store.binder[dynamicMember: keyPath], storeIn: &subscriptions)
  }

  /// Keeps the control and a whole number in a store in step: the one nearest to what is shown.
  ///
  /// - Parameters:
  ///   - number: a binding of `store.binder`; it does not keep the store alive.
  ///   - subscriptions: where the subscription is kept that ends this; the control is not kept alive.
  public func bind<Number: FixedWidthInteger>(
    to number: StateBinding<Number>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    tie(to: number, shown: { BoundValue($0) }, meant: { nearest(to: $0) })
      .store(in: &subscriptions)
  }
}

/// What is out of range is as near as can be.
private func nearest<Number: FixedWidthInteger>(to value: some BinaryFloatingPoint) -> Number {
  Number(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
}
#endif
