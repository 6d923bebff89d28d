#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
public import Signalbox

/// A control that shows a value which a user can change: what can be bound to a store.
///
///     nameField.bind(to: \.name, using: store, storeIn: &subscriptions)
///
/// Those of UIKit and AppKit are there: fields and views for text, switches, check boxes, sliders,
/// steppers and segmented controls. A control of one's own can be bound like them:
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
  /// The kind of value.
  associatedtype BoundValue: Equatable

  /// What the control shows.
  var boundValue: BoundValue { get set }

  /// Calls a closure whenever a user has changed what the control shows.
  ///
  /// - Parameter body: is kept until the subscription ends.
  /// - Returns: what ends it; does not keep the control alive.
  func onUserChange(_ body: @escaping @MainActor () -> Void) -> Signalbox.Subscription
}

extension ValueControl {
  /// Keeps the control and a property of a store in step: the control shows the property, and the
  /// property changes as a user changes the control.
  ///
  ///     muteSwitch.bind(to: \.isMuted, using: store, storeIn: &subscriptions)
  ///
  /// The state decides: after each change the control shows what the store has made of it. It is
  /// never set to what it shows already, so a field that is typed in keeps its cursor, and controls
  /// that follow one another close no loop.
  ///
  /// - Parameters:
  ///   - keyPath: the property in the state.
  ///   - store: is not kept alive; when it is gone the control is left alone.
  ///   - subscriptions: where the subscription is kept that ends this; the control is not kept alive.
  public func bind<State, Action>(
    to keyPath: WritableKeyPath<State, BoundValue>, using store: Store<State, Action>,
    storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    bind(to: store.binder[dynamicMember: keyPath], storeIn: &subscriptions)
  }

  /// Keeps the control and a value of a store in step.
  ///
  ///     let query = store.binder.binding(get: \.query, action: { .search($0) })
  ///     searchField.bind(to: query, storeIn: &subscriptions)
  ///
  /// An action that is dispatched here should change the state before its first suspension: until
  /// then the control shows the state as it was.
  ///
  /// - Parameters:
  ///   - value: a binding of `store.binder`; it does not keep the store alive.
  ///   - subscriptions: where the subscription is kept that ends this; the control is not kept alive.
  public func bind(
    to value: StateBinding<BoundValue>, storeIn subscriptions: inout Set<Signalbox.Subscription>
  ) {
    tie(to: value, shown: { $0 }, meant: { $0 }).store(in: &subscriptions)
  }

  /// - Parameters:
  ///   - shown: a value as the control shows it.
  ///   - meant: the value that the control shows.
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
