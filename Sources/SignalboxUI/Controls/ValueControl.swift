#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
public import Signalbox

/// A control with a value that the user can change, and that can be bound to a store.
///
///     nameField.bind(to: \.name, using: store, storeIn: &subscriptions)
///
/// These controls of UIKit and AppKit conform: text fields, text views, switches, check boxes,
/// sliders, steppers and segmented controls. To bind a control of your own, let it conform:
///
///     extension StarsControl: ValueControl {
///       var boundValue: Int { get { stars } set { stars = newValue } }
///
///       func onUserChange(_ body: @escaping @MainActor () -> Void) -> Subscription {
///         onTap = body
///         return Subscription { [weak self] in self?.onTap = nil }
///       }
///     }
@MainActor public protocol ValueControl: AnyObject {
  /// The type of the value.
  associatedtype BoundValue: Equatable

  /// The value that the control shows.
  var boundValue: BoundValue { get set }

  /// Calls a closure whenever the user has changed the value.
  ///
  /// - Parameter body: the closure. It is kept until the subscription ends.
  /// - Returns: the subscription that ends the calls. It does not keep the control alive.
  func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription
}

extension ValueControl {
  /// Binds the control to a property of a store.
  ///
  ///     muteSwitch.bind(to: \.isMuted, using: store, storeIn: &subscriptions)
  ///
  /// The control shows the property, and a change by the user is written to the property. After
  /// each change the control shows the value that is then in the state. The control is never set to
  /// the value that it already shows. So a text field keeps its cursor while the user types, and
  /// controls that are bound to one another do not loop.
  ///
  /// - Parameters:
  ///   - keyPath: the property in the state.
  ///   - store: the store. It is not kept alive. Once it is released, the control is left alone.
  ///   - subscriptions: receives the subscription that ends this. It does not keep the control
  ///     alive.
  public func bind<State, Action>(
    to keyPath: WritableKeyPath<State, BoundValue>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    bind(to: store.binder[dynamicMember: keyPath], storeIn: &subscriptions)
  }

  /// Binds the control to a binding of a store.
  ///
  ///     let query = store.binder.binding(get: \.query, action: { .search($0) })
  ///     searchField.bind(to: query, storeIn: &subscriptions)
  ///
  /// If the binding dispatches an action, the action should change the state before its first
  /// suspension. Otherwise the control goes back to the old value until the state changes.
  ///
  /// - Parameters:
  ///   - value: a binding of `store.binder`. It does not keep the store alive.
  ///   - subscriptions: receives the subscription that ends this. It does not keep the control
  ///     alive.
  public func bind(
    to value: StateBinding<BoundValue>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    tie(to: value, shown: { $0 }, meant: { $0 }).store(in: &subscriptions)
  }

  /// Binds to a value of another type, which `shown` converts for the control and `meant` back.
  func tie<Value>(
    to value: StateBinding<Value>, shown: @escaping @MainActor (Value) -> BoundValue,
    meant: @escaping @MainActor (BoundValue) -> Value
  ) -> Signalbox.Subscription {
    let show: @MainActor (Value) -> Void = { [weak self] value in
      let shown = shown(value)
      if let self, self.boundValue != shown { self.boundValue = shown }
    }
    let changes = onUserChange { [weak self] in
      guard let self else { return }
      value.wrappedValue = meant(self.boundValue)
      show(value.wrappedValue)
    }
    let values = value.includingCurrent().sink(
      receiveCompletion: { changes.cancel() }, receiveValue: show)
    return .all(values, changes)
  }
}
#endif
