#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
public import Signalbox

extension ValueControl where BoundValue: BinaryFloatingPoint {
  /// Binds the control to a number in a store, of any floating-point type.
  ///
  ///     volumeSlider.bind(to: \.volume, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - keyPath: the number in the state.
  ///   - store: the store. It is not kept alive. Once it is released, the control is left alone.
  ///   - subscriptions: receives the subscription that ends this. It does not keep the control
  ///     alive.
  public func bind<State, Action, Number: BinaryFloatingPoint>(
    to keyPath: WritableKeyPath<State, Number>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    bind(to: store.binder[dynamicMember: keyPath], storeIn: &subscriptions)
  }

  /// Binds the control to a number in a store, of any floating-point type.
  ///
  /// - Parameters:
  ///   - number: a binding of `store.binder`. It does not keep the store alive.
  ///   - subscriptions: receives the subscription that ends this. It does not keep the control
  ///     alive.
  public func bind<Number: BinaryFloatingPoint>(
    to number: StateBinding<Number>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    tie(to: number, shown: { BoundValue($0) }, meant: { Number($0) }).store(in: &subscriptions)
  }

  /// Binds the control to an integer in a store, which is the control's value rounded.
  ///
  ///     guestsStepper.bind(to: \.guests, using: store, storeIn: &subscriptions)
  ///
  /// - Parameters:
  ///   - keyPath: the number in the state.
  ///   - store: the store. It is not kept alive. Once it is released, the control is left alone.
  ///   - subscriptions: receives the subscription that ends this. It does not keep the control
  ///     alive.
  public func bind<State, Action, Number: FixedWidthInteger>(
    to keyPath: WritableKeyPath<State, Number>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    bind(to: store.binder[dynamicMember: keyPath], storeIn: &subscriptions)
  }

  /// Binds the control to an integer in a store, which is the control's value rounded.
  ///
  /// - Parameters:
  ///   - number: a binding of `store.binder`. It does not keep the store alive.
  ///   - subscriptions: receives the subscription that ends this. It does not keep the control
  ///     alive.
  public func bind<Number: FixedWidthInteger>(
    to number: StateBinding<Number>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    tie(to: number, shown: { BoundValue($0) }, meant: { nearest(to: $0) })
      .store(in: &subscriptions)
  }
}

/// The nearest number; out of range, the smallest or the largest.
private func nearest<Number: FixedWidthInteger>(to value: some BinaryFloatingPoint) -> Number {
  Number(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
}
#endif
